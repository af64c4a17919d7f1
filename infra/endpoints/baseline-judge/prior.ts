/** What the head believes before it has seen an example: which labels are good news, and which features speak for good. */
import type { AskedField, ShownLabel } from "./read-prompt.ts";

const bad =
  /不|错|无|未|没|非|差|否|违|矛盾|拒绝|有害|失败|\b(?:no|not|wrong|incorrect|bad|poor|fail(?:ed|s)?|unsafe|false|worse)\b|^un|^in(?:correct|valid)/i;
const good =
  /正确|属实|安全|清晰|合格|通过|好|是|满足|有用|一致|\b(?:yes|right|correct|good|great|pass(?:ed|es)?|safe|true|better|clear|accurate)\b/i;

/** From -1, the worst news about the sample, to 1, the best; 0 where the label's words do not say. */
export function polarities(field: AskedField): number[] {
  const { labels } = field;
  if (field.kind === "ordinal") {
    return labels.map((_, index) => (labels.length < 2 ? 0 : (2 * index) / (labels.length - 1) - 1));
  }
  return labels.map(polarity);
}

function polarity({ code, name }: ShownLabel): number {
  if (bad.test(name)) return -1;
  if (good.test(name)) return 1;
  return code === "Y" ? 1 : code === "N" ? -1 : 0;
}

/** Set by hand, on the scale of the raw features; examples overrule them. */
export const pointwiseWeights: Readonly<Record<string, number>> = {
  answerAgrees: 2,
  refSupport: 0.8,
  weakestSentence: 0.5,
  questionCover: 0.4,
  advice: 0.2,
  numbersUnsupported: -0.5,
  measuresUnsupported: -0.3,
  numberClash: -0.4,
  negationClash: -0.2,
  rude: -0.8,
  offPlatform: -0.4,
  privateData: -0.3,
  refusal: -0.5,
  evasive: -0.3,
  repeatedSentences: -0.5,
  brief: -0.3,
  figuresSlipped: -0.8,
  figuresAbsent: -1,
  wordsAbsent: -0.8,
  wordsSlipped: -0.3,
  bannedShown: -0.8,
  unclear: -0.6,
  flawless: 1,
};

/** Weight of a phrase that the standard quotes for a label, forbids, or wants. */
export const phraseWeights = { label: 1, forbidden: -1, wanted: 0.3 } as const;

/** The raw score of good news in a set of features. */
export function priorScore(
  values: Readonly<Record<string, number>>,
  weights: Readonly<Record<string, number>>,
): number {
  let score = 0;
  for (const [name, weight] of Object.entries(weights)) score += weight * (values[name] ?? 0);
  return score;
}
