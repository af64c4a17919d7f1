/** Why the answer is what it is, in the prompt's language, with words of the sample that bear on it. */
import type { FieldAnswer } from "./answer-fields.ts";
import { featureName } from "./feature-names.ts";
import { judgedText } from "./features.ts";
import { lexicon } from "./lexicon.ts";
import type { ShownPrompt } from "./read-prompt.ts";
import { splitSentences, viewText } from "./text-view.ts";
import type { AnswerText } from "./write-answer.ts";

/** The longest quote worth reading. */
const longestQuote = 80;

export function explain(prompt: ShownPrompt, answers: readonly FieldAnswer[]): AnswerText {
  const { language } = prompt;
  const parts = answers.flatMap((answer) => {
    if (answer.kind !== "choice") return [];
    const best = answer.probabilities.indexOf(Math.max(...answer.probabilities));
    const label = answer.field.labels[best];
    const percent = Math.round((answer.probabilities[best] ?? 0) * 100);
    const reasons = answer.reasons.map((reason) => featureName(reason, language));
    return language === "zh"
      ? `「${answer.field.title.split(" — ")[0]}」倾向 ${label?.name}（${percent}%），依据：${reasons.join("、") || "无"}`
      : `${answer.field.title.split(" — ")[0]}: ${label?.name} (${percent}%), by ${reasons.join(", ") || "nothing"}`;
  });
  const opening =
    language === "zh" ? "词面与规则基线，不理解语义。" : "Lexical baseline without understanding. ";
  return {
    explanation: `${opening}${parts.join(language === "zh" ? "；" : "; ")}`,
    evidence: quotes(prompt),
  };
}

/** At most two sentences that carry what the features count: telling words, or figures without a source. */
function quotes(prompt: ShownPrompt): string[] {
  const { sample } = prompt;
  const raw = judgedText(sample) || sample.candidates.map(({ text }) => text).join("\n");
  const known = viewText([sample.reference, sample.input].join("\n")).numbers;
  const telling = [lexicon.rude, lexicon.offPlatform, lexicon.privateData, lexicon.refusal, lexicon.evasive];
  const ranked = splitSentences(raw)
    .map((sentence) => {
      const view = viewText(sentence);
      const words = telling.reduce((sum, pattern) => sum + (view.text.match(pattern)?.length ?? 0), 0);
      const figures = [...view.numbers].filter((one) => !known.has(one)).length;
      return { sentence, weight: words + figures };
    })
    .sort((left, right) => right.weight - left.weight);
  const picked = ranked.filter(({ weight }) => weight > 0).slice(0, 2);
  return (picked.length > 0 ? picked : ranked.slice(0, 1)).map(({ sentence }) =>
    sentence.slice(0, longestQuote),
  );
}
