/** How sure the judge was of each criterion, from the tokens of that criterion's own verdict. Called by SCORE. */
import type { ChatCompletion } from "../../schema/chat.ts";
import type { Criterion } from "../../schema/rubric.ts";
import type { PlacedCriterionAnswer } from "../judge/criterion-answers.ts";
import { codesOf } from "../rubric/asked-criteria.ts";
import type { CriterionReading } from "../rubric/verdicts.ts";
import { alignTokens } from "./align-tokens.ts";
import { labelConfidence } from "./field-confidence.ts";

/** The verdicts with the probability of each, null where the server did not give one; `content` is the answer's text. */
export function criterionReadings(
  criteria: readonly Criterion[],
  verdicts: readonly PlacedCriterionAnswer[],
  content: string,
  completion: ChatCompletion,
): readonly CriterionReading[] {
  const tokens = completion.choices?.[0]?.logprobs?.content ?? [];
  const alignment = verdicts.length > 0 && tokens.length > 0 ? alignTokens(content, tokens) : null;
  const byId = new Map(criteria.map((criterion) => [criterion.id, criterion]));
  return verdicts.map(({ id, met, quotes, rawSpan }) => {
    const criterion = byId.get(id);
    const confidence =
      alignment && criterion
        ? labelConfidence(content, alignment, rawSpan, codesOf(criterion), met).pRaw
        : null;
    return { id, met, quotes, confidence };
  });
}
