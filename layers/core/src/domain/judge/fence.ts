/** Fences around what a sample says: random delimiters, neutralised imitations, hidden characters taken out. */

/** What in a sample looks as if it were aimed at the judge. */
export const suspicionKinds = [
  /** Imitates our delimiters or sections. */
  "delimiter",
  /** Holds control tokens of chat formats, such as `<|im_end|>`. */
  "control-token",
  /** Holds characters that people cannot see. */
  "hidden-characters",
  /** Tells the judge what to answer. */
  "instruction",
  /** Holds what looks like a finished verdict. */
  "verdict",
] as const;
export type SuspicionKind = (typeof suspicionKinds)[number];

export interface Suspicion {
  readonly kind: SuspicionKind;
  /** The section in which it was found, e.g. `output`. */
  readonly section: string;
}

/** The line that opens a fenced part; only who knows the mark can write it. */
export const openFence = (mark: string, name: string): string => `<<${mark} ${name}>>`;
/** The line that ends what {@link openFence} began. */
export const closeFence = (mark: string, name: string): string => `<</${mark} ${name}>>`;

const hidden =
  /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u115f\u1160\u3164\ufeff\u{e0000}-\u{e007f}]|(?<=[\p{ASCII}\p{Script=Han}])[\u200c\u200d](?=[\p{ASCII}\p{Script=Han}])/gu;
/** The tags of a flag emoji (a black flag, letters, an end) are visible. */
const flagEmoji = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}/gu;
const control = /<\|[\w-]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>|<｜[^｜<>]{1,40}｜>/gi;
/** Sections of ours, opened or closed by somebody else. */
const imitation =
  /<<\/?[\w-]{1,64} [\w -]{1,64}>>|<\/?(?:standard|rubric|fields|rules|system|instructions)\b[^<>]{0,80}>/gi;
/** Looks like a marker of ours, and may well be honest text. */
const lookalike = /\[(?:(?:image|video) \d+(?=:)|(?:图|视频)\s*\d+(?=[:：]))/gi;
const instructions = [
  /(?:忽略|无视|不要管|不用管)(?:掉)?(?:以上|上述|上面|之前|前面|先前|所有|一切)[^。！？\n]{0,16}(?:标准|指令|要求|规则|提示|内容|说明)/u,
  /(?:直接|一律|无条件)[^。！？\n]{0,8}(?:给|打|判|评|标)[^。！？\n]{0,8}(?:满分|最高分|10\s*分|100\s*分|合格|通过|正确)/u,
  /(?:本|这个|该|此|我的)(?:回答|答案|作品|样本|内容)[^。！？\n]{0,12}(?:应|必须|请|务必)[^。！？\n]{0,10}(?:满分|最高分|10\s*分|100\s*分|合格|通过)/u,
  /(?:评审|评委|裁判|打分|评分)(?:员|者|模型|系统)?[^。！？\n]{0,4}[，,：:][^。！？\n]{0,20}(?:满分|最高分|合格|通过)/u,
  /(?:评审|评分|打分|评判|裁判|评委|AI\s*评)(?:员|模型|系统|程序|机器人|委)[^。！？\n]{0,24}(?:判|输出|给|应|跳过|停止)/u,
  /(?:如果|若|假如)你是(?:一个|一名)?(?:AI|模型|机器|大模型|评审|评委|裁判)/iu,
  /\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,24}\b(?:previous|above|prior|earlier|preceding|all)\b[^.!?\n]{0,24}\b(?:instructions?|rules?|prompts?|criteria|standards?|rubrics?)\b/i,
  /\b(?:give|assign|award|rate|score|grade)\b[^.!?\n]{0,40}\b(?:full marks?|full score|highest (?:score|rating|grade)|maximum (?:score|rating|points)|perfect score|10\s*\/\s*10)\b/i,
  /\b(?:the|an?|all|ai|automated|llm)[- ](?:ai[- ])?(?:grader|judge|evaluator|rater|scoring (?:system|model))s?\b[^.!?\n]{0,60}\b(?:must|shall|should|answer|output|return|mark|label|override)\b/i,
  /\bif you(?:'re| are) (?:an? |the )?(?:ai|model|llm|language model|automated|grader|judge|evaluator)\b/i,
];
const verdict = /["“]fields["”]\s*[:：]\s*[{｛]|["“](?:score|verdict|分数|评分)["”]\s*[:：]\s*["“]?\d/u;

/** Takes out what people cannot see; evidence is compared in the same form. */
export function withoutHidden(text: string): string {
  const flags: string[] = [];
  const kept = text.replace(flagEmoji, (flag) => {
    flags.push(flag);
    return "\ue000";
  });
  if (flags.length === 0) return text.replace(hidden, "");
  // A private-use character of the text itself is no placeholder: count only as many as flags were taken.
  const pieces = kept.split("\ue000");
  if (pieces.length !== flags.length + 1) return text.replace(hidden, "");
  return pieces.map((piece, index) => piece.replace(hidden, "") + (flags[index] ?? "")).join("");
}

/** Collects what is suspicious while texts pass through it into a prompt. */
export interface Fence {
  /** The text as it may stand between fences; its NFKC form differs from the source's only by hidden characters. */
  clean(text: string, section: string): string;
  readonly suspicions: readonly Suspicion[];
}

/** `mark` is the nonce in the delimiters: unguessable, letters and digits only. */
export function createFence(mark: string): Fence {
  if (!/^[A-Za-z0-9]{8,64}$/.test(mark)) throw new Error("A fence mark has 8 to 64 letters or digits");
  const found = new Map<string, Suspicion>();
  const suspect = (kind: SuspicionKind, section: string) =>
    found.set(`${kind} ${section}`, { kind, section });
  return {
    clean(text, section) {
      const seen = withoutHidden(text);
      if (seen !== text) suspect("hidden-characters", section);
      if (instructions.some((pattern) => pattern.test(seen))) suspect("instruction", section);
      if (verdict.test(seen)) suspect("verdict", section);
      const harmless = seen
        .replace(control, (token) => {
          suspect("control-token", section);
          return widen(token);
        })
        .replace(imitation, (token) => {
          suspect("delimiter", section);
          return widen(token);
        })
        .replace(lookalike, widen);
      if (!harmless.includes(mark)) return harmless;
      suspect("delimiter", section);
      return harmless.replaceAll(mark, `${mark.slice(0, 4)}…`);
    },
    get suspicions() {
      return [...found.values()];
    },
  };
}

/** Full-width twins of the brackets: readable, the same after NFKC, and no delimiter of ours. */
const widen = (token: string): string =>
  token.replaceAll("<", "＜").replaceAll("[", "［").replaceAll("｜", "|");
