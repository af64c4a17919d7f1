/** Lint of one criterion's wording, Chinese and English. Called by `lintRubric`. */
import type { Criterion } from "../../schema/rubric.ts";
import { finding, type LintCode, type LintFinding } from "./lint-finding.ts";
import { praise } from "./lint-polarity.ts";

/** What stands between these is a name or a quotation; its words are not the criterion's. */
const quoted = /《[^》]*》|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`|"[^"]*"/g;
/** Words with a conjunction inside that join nothing. */
const harmless =
  /姑且|暂且|尚且|况且|且慢|同时期|同时间|同时段|不同时|并不|并非|并未|并列|并购|合并|吞并|一并|并发|并行|并网/g;
/** The same for the weaker marks of W2. */
const harmlessMarks =
  /涉及|提及|普及|波及|及时|及格|参与|与否|赠与|授与|和解|总和|之和|温和|缓和|和平|和谐|饱和/g;
/** Stands for what is masked: no letter, no mark, no digit. */
const placeholder = "\ufffc";

/** The text with names, quotations and harmless words taken out. */
export const masked = (text: string): string =>
  text.replace(quoted, placeholder).replace(harmless, placeholder);

const conjunctions: readonly RegExp[] = [
  /并且|而且/,
  /且/,
  /同时/,
  /并(?![购发行网列存])/,
  /以及/,
  /既.+[又也]/,
  /(?:不仅|不但|不只).+(?:还|而且|也)/,
  /\bboth\b.+\band\b/i,
  /as well as/i,
  /and also|while also|in addition to/i,
  /[;；]/,
];
const joints = /[和与及、]|\band\/or\b|\band\b|\bor\b/i;
const degrees =
  /程度|打分|评分|几分|(?<![\d.])1\s*[-–—~～至到]\s*(?:5|10)(?![\d.%％])|\bhow (?:well|much|good|far)\b|\bon a scale\b|\brate the\b/i;
const vague =
  /合理|适当|恰当|充分|清晰|清楚|良好|较好|较高|优秀|专业|简洁|简明|详细|详尽|丰富|全面|深入|深刻|尽量|尽可能|适度|大致|基本上|高质量|流畅|得体|完善|到位|准确(?!率|度)|完整(?!版|的(?:身份证|银行卡|手机|电话|姓名|名称|地址))|\b(?:appropriate(?:ly)?|reasonabl[ey]|clear(?:ly)?|good|sufficient(?:ly)?|adequate(?:ly)?|relevant|proper(?:ly)?|comprehensive(?:ly)?|detailed|thorough(?:ly)?|high[- ]quality|professional(?:ly)?|concise(?:ly)?|effective(?:ly)?|nice|several|various|as needed)\b/i;
const counts =
  /(?:至少|不少于|不低于|最少|多于|超过)\s*[\d一二两三四五六七八九十]+\s*(?:个|条|项|处|点|种|次|例|段|张|份|篇|句)|\b(?:at least|no fewer than|a minimum of|more than)\s+(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\s+(?!percent|million|billion|days?\b|hours?\b)[a-z]+/i;
/** Digits, Chinese numerals before a unit, or where in a document something stands. */
const checkable =
  /\d|[一二三四五六七八九十百千万亿两]+(?:个|条|项|处|份|家|年|月|日|天|元|倍|期|季度)|第.{1,4}[条章节页段行列款]|首页|末页|首段|末段|标题|表格|附件|附录|脚注|封面|\b(?:section|page|table|figure|chapter|clause|appendix|footnote|title|heading|cell|row|column|line)\b/i;
/** Names in Latin letters; the first word of a sentence says nothing. */
const latinName = /(?<=[\p{Script=Han}\s])[A-Z][A-Za-z]+|\b[A-Z]{2,}\b/u;

const longestHan = 60;
const longestWords = 40;

/** Every finding about the wording of one criterion, in the order of the codes. */
export function lintText(criterion: Pick<Criterion, "id" | "text" | "kind" | "deliverable">): LintFinding[] {
  const { id, text, kind, deliverable } = criterion;
  const plain = masked(text);
  const found: [LintCode, string | null][] = [];
  const conjunction = firstMatch(conjunctions, plain);
  const isFault = kind !== "positive";
  found.push(["E1", conjunction]);
  found.push(["E7", firstMatch([degrees], plain)]);
  found.push(["E8", isFault ? praise(plain) : null]);
  found.push(["W1", firstMatch([vague], plain)]);
  // What is certainly two things need not be suspected of it.
  found.push([
    "W2",
    conjunction === null ? firstMatch([joints], plain.replace(harmlessMarks, placeholder)) : null,
  ]);
  const isNamed = text.match(quoted) !== null;
  found.push([
    "W3",
    isNamed || checkable.test(text) || latinName.test(text) || deliverable?.locator ? null : "",
  ]);
  found.push(["W5", firstMatch([counts], plain)]);
  found.push(["W6", length(text)]);
  return found.flatMap(([code, what]) => (what === null ? [] : [finding(code, id, what)]));
}

/** What the first pattern that fits finds, shortened to be shown. */
function firstMatch(patterns: readonly RegExp[], text: string): string | null {
  const [match] = patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  if (match === undefined) return null;
  const shown = match.replaceAll(placeholder, "…").trim();
  return shown.length > 16 ? `${shown.slice(0, 7)}…${shown.slice(-7)}` : shown;
}

function length(text: string): string | null {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0;
  if (han > longestHan) return `${han} > ${longestHan}`;
  return words > longestWords ? `${words} > ${longestWords}` : null;
}
