/** Tells a description that judges instead of describing. Called by check-gist.ts; pure. */
import { comparable } from "../judge/evidence.ts";

/** What a captioner says when it judges: marks, quality, compliance, right and wrong, advice. */
const judging: readonly RegExp[] = [
  /评分|打分|得分|满分|(?:给|打|得)\s*(?:出|到|了)?\s*[\d一二三四五六七八九十]+(?:\.\d+)?\s*分(?![钟之割成别])|\d\s*[/／]\s*(?:5|10|100)\s*分/,
  /质量(?:整体|总体)?(?:都|也)?(?:很|较|非常|极|比较|相当|不|偏)?(?:好|差|高|低|佳|错|一般|优秀)/,
  /(?:整体|总体|画面|设计|构图|排版|配色|版式|布局|文案|制作|视觉效果|效果)[^，。；\n]{0,6}?(?:精美|美观|出色|优秀|糟糕|粗糙|专业|合理|不错|好看|难看|吸引人|欠佳|混乱|和谐|有吸引力|高级感|不足)/,
  /(?:不|未|没有|完全|基本|大致|均|都)?(?:符合|满足|达到|违反|不合)[^，。；\n]{0,8}(?:要求|标准|规范|预期|需求|规定)|(?:不)?合格|不?达标/,
  /(?:回答|答案|回复|解答|计算|做法|说法|客服)[^，。；\n]{0,6}(?:正确|错误|有误|不当|得当|恰当|到位|专业|不专业|不准确)/,
  /建议(?:给|打|改|把|将|增|减|优化|调整|使用|补充|客服|用户)|有待(?:改进|提高|加强)|(?:需要|可以|应当?|应该)(?:再)?(?:改进|优化|修改|加强|提升)/,
  /\b(?:score[sd]?|rating|rate it|rated)\b|\b(?:10|\d(?:\.\d)?)\s*(?:\/|out of)\s*(?:5|10|100)\b/i,
  /\b(?:high|low|poor|good|great|excellent|bad|decent)[- ]quality\b|\bquality is\b/i,
  /\b(?:well|poorly|badly|nicely|beautifully|professionally)[- ](?:designed|written|composed|laid|executed|made|organi[sz]ed|structured)\b/i,
  /\b(?:visually )?(?:appealing|pleasing|attractive|unattractive|impressive|stunning|unprofessional|eye-catching)\b/i,
  /\b(?:meets?|fails?|satisf(?:y|ies)|violates?|complies|fulfils?|lacks?)\b[^.\n]{0,24}\b(?:brief|standards?|requirements?|criteri(?:a|on)|guidelines?|specifications?)\b/i,
  /\b(?:answer|reply|response|solution|calculation)\b[^.\n]{0,12}\b(?:is|looks|seems)\b[^.\n]{0,12}\b(?:correct|wrong|incorrect|right|appropriate|inappropriate|helpful|unhelpful)\b/i,
  /\b(?:should|could|needs? to|ought to) be (?:improved|changed|fixed|larger|smaller|clearer|more)\b|\bI(?: would|'d)? (?:recommend|suggest|rate|score|give)\b/i,
];

const quoted = /“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|"[^"\n]*"/g;

/** The captioner's own words: neither copied lines nor what it quotes. */
const ownWords = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s*>/.test(line))
    .join("\n")
    .replace(quoted, "");

/**
 * A description must not evaluate. Words of evaluation that stand in the picture are not the captioner's: they are known by
 * their copy mark, their quotation marks, or by `read`, what a reader of text found in the picture.
 */
export const evaluates = (text: string, read: string | null = null): boolean => {
  const known = read === null ? "" : comparable(read);
  return ownWords(text)
    .split(/[。；;！!？?\n]|\.\s/)
    .some((sentence) => {
      if (!judging.some((pattern) => pattern.test(sentence))) return false;
      const bare = comparable(sentence.replace(/^\s*(?:【[左右中]】|\[(?:left|right|centre)\])/, ""));
      return bare === "" || !known.includes(bare);
    });
};
