/** What lint may find in a rubric: codes with their severities, in words and with a way out, Chinese and English. */
import type { Language } from "../decide/reason-text.ts";

export const lintCodes = [
  "E1",
  "E2",
  "E3",
  "E4",
  "E5",
  "E6",
  "E7",
  "E8",
  "W1",
  "W2",
  "W3",
  "W4",
  "W5",
  "W6",
  "W7",
] as const;
export type LintCode = (typeof lintCodes)[number];

export const lintSeverities = ["error", "warning"] as const;
export type LintSeverity = (typeof lintSeverities)[number];

type Words = Readonly<Record<Language, string>>;

export interface LintFinding {
  readonly severity: LintSeverity;
  readonly code: LintCode;
  /** null where the rubric as a whole is meant. */
  readonly criterion: string | null;
  readonly text: Words;
  readonly suggestion: Words;
}

const words = (zh: string, en: string): Words => ({ zh, en });
type Wording = (found: string) => readonly [text: Words, suggestion: Words];

/** `found` is the word, the other criterion or the figure that the finding is about. */
const wordings: Readonly<Record<LintCode, Wording>> = {
  E1: (found) => [
    words(`一条里说了两件事（“${found}”）`, `it states two things ("${found}")`),
    words(
      `在“${found}”处拆成两条，各自给分`,
      `split it at "${found}" into two criteria with points of their own`,
    ),
  ],
  E2: (found) => [
    words(`采分点太少（${found}）`, `there are too few criteria (${found})`),
    words(
      "补足采分点，或在 grading.minCriteria 里写明这个任务需要的条数",
      "add criteria, or say in grading.minCriteria how many this task needs",
    ),
  ],
  E3: (found) => [
    found === ""
      ? words("没有写明看哪个交付文件", "it names no deliverable file")
      : words(`没有名为“${found}”的交付文件`, `there is no deliverable named "${found}"`),
    words(
      "用 deliverable.file 写明文件；不看文件的条目用 evidence.source 写明看输出、参考还是图片描述",
      "name the file in deliverable.file; where no file is meant, say with evidence.source whether output, reference or gist is",
    ),
  ],
  E4: () => [
    words("没有重罚项", "there is no heavy penalty"),
    words(
      "为不可接受的问题加一条否决项，或不高于 −7 分的扣分项",
      "add a veto, or a negative criterion of −7 points or less, for what is unacceptable",
    ),
  ],
  E5: (found) => [
    words(`与 ${found} 重复或近似重复`, `it repeats ${found}, or nearly`),
    words("合并为一条，或写清两条的差别", "merge the two, or say what tells them apart"),
  ],
  E6: (found) => [
    words(
      `与 ${found} 是同一件事的正反两面，会重复计分`,
      `it is the mirror of ${found}: one fact would count twice`,
    ),
    words("只保留其中一条", "keep one of the two"),
  ],
  E7: (found) => [
    words(`不能用“是/否”回答（“${found}”）`, `it cannot be answered by yes or no ("${found}")`),
    words(
      "改成可判真假的陈述；分档时每档写一条，并用 mutex 互斥",
      "make it a statement that is true or false; for steps write one criterion each and exclude them with mutex",
    ),
  ],
  E8: (found) => [
    words(
      `扣分项写成了好事（“${found}”）：做到了反而扣分`,
      `the fault is phrased as a good thing ("${found}"): doing it right would cost points`,
    ),
    words(
      "直接写出问题本身，问题出现才成立",
      "state the fault itself, so that it holds when the fault is there",
    ),
  ],
  W1: (found) => [
    words(`用词含糊（“${found}”）`, `a vague word ("${found}")`),
    words("换成可核对的事实、数字或原文", "say which fact, figure or wording can be checked"),
  ],
  W2: (found) => [
    words(`可能说了两件事（“${found}”）`, `it may state two things ("${found}")`),
    words("如果两件事可以一对一错，就拆成两条", "if one could hold without the other, split it"),
  ],
  W3: () => [
    words("没有数字、名称或位置可以核对", "it has no number, name or place to check"),
    words(
      "写明数值、对象，或用 deliverable.locator 写明位置",
      "give a figure or a name, or say where in deliverable.locator",
    ),
  ],
  W4: (found) => [
    words(`一条占了正分的 ${found}，超过 30%`, `it alone has ${found} of the positive points, over 30%`),
    words("降低分值，或拆成几条", "give it fewer points, or split it"),
  ],
  W5: (found) => [
    words(`只数数量，容易凑数（“${found}”）`, `a count is easily padded ("${found}")`),
    words("写明每一项必须满足什么", "say what each of them must satisfy"),
  ],
  W6: (found) => [
    words(`太长（${found}）`, `it is long (${found})`),
    words(
      "压到 60 个汉字或 40 个英文单词以内，或拆开",
      "bring it under 40 words or 60 Chinese characters, or split it",
    ),
  ],
  W7: (found) => [
    words(`加分项与扣分项之比为 ${found}，超过 6:1`, `positive to negative criteria are ${found}, over 6:1`),
    words("补写常见错误的扣分项", "add negative criteria for the usual faults"),
  ],
};

/** A finding in words; E is an error, W a warning. */
export const finding = (code: LintCode, criterion: string | null, found = ""): LintFinding => {
  const [text, suggestion] = wordings[code](found);
  return { severity: code.startsWith("E") ? "error" : "warning", code, criterion, text, suggestion };
};
