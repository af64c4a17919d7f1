/** Verdicts on criteria: by code, by the judge with its quotes checked, and by people. SCORE and REVIEW call these. */
import type { PlacedGist } from "../../schema/gist.ts";
import type { Criterion, CriterionResult, RubricResult } from "../../schema/rubric.ts";
import type { FieldValue, Sample } from "../../schema/sample.ts";
import type { Template } from "../../schema/template.ts";
import type { CriterionAnswer } from "../judge/criterion-answers.ts";
import { comparable, type Evidence } from "../judge/evidence.ts";
import { codesOf } from "./asked-criteria.ts";
import { assessRubric, type CriterionVerdict } from "./assess.ts";
import { checkRule } from "./check-rule.ts";
import { evidenceState, foundQuotes } from "./verify-quotes.ts";

/** What the judge said of a criterion, and how probable its verdict was. */
export interface CriterionReading extends CriterionAnswer {
  readonly confidence: number | null;
}

/** One verdict per criterion of the rubric, in its order; what the judge left out has no verdict. */
export function machineVerdicts(
  rubric: readonly Criterion[],
  readings: readonly CriterionReading[],
  sample: Sample,
  gists: readonly PlacedGist[],
): readonly CriterionVerdict[] {
  const byId = new Map(readings.map((reading) => [reading.id, reading]));
  // Criteria look into the same few files over and over.
  const folded = new Map<string, string>();
  const fold = (text: string): string => {
    const known = folded.get(text) ?? comparable(text);
    folded.set(text, known);
    return known;
  };
  return rubric.map((criterion) => {
    if (criterion.check !== "llm") return ruleVerdict(criterion, criterion.check, sample, gists);
    const reading = byId.get(criterion.id);
    if (!reading) return { id: criterion.id, met: null, confidence: null };
    const { met, confidence, quotes } = reading;
    const found = met === "Y" ? foundQuotes(criterion, quotes, sample, gists, fold) : [];
    return { id: criterion.id, met, confidence, evidence: evidenceState(criterion, met, found) };
  });
}

function ruleVerdict(
  criterion: Criterion,
  rule: Exclude<Criterion["check"], "llm">,
  sample: Sample,
  gists: readonly PlacedGist[],
): CriterionVerdict {
  const met = checkRule(criterion, rule, sample, gists);
  return { id: criterion.id, met, confidence: met === null ? null : 1, by: "rule" };
}

/** Stored verdicts with a person's answers over them: what a person says needs no probability and no quote. */
export function withAnswers(
  rubric: readonly Criterion[],
  stored: readonly CriterionVerdict[],
  values: Readonly<Record<string, FieldValue>>,
): readonly CriterionVerdict[] {
  return rubric.map((criterion) => {
    const { id } = criterion;
    const met = Object.hasOwn(values, id)
      ? codesOf(criterion).find((code) => code === values[id])
      : undefined;
    if (met !== undefined) return { id, met, confidence: null, by: "person" };
    const known = stored.find((one) => one.id === id);
    return known ?? { id, met: null, confidence: null };
  });
}

/** The rubric's part in a result with the probabilities as they were measured, whatever scale it was assessed on. */
export function withConfidences(result: RubricResult, verdicts: readonly CriterionVerdict[]): RubricResult {
  const measured = new Map(verdicts.map(({ id, confidence }) => [id, confidence]));
  return {
    ...result,
    criteria: result.criteria.map((criterion) => {
      const confidence = measured.get(criterion.id) ?? null;
      return { ...criterion, confidence: confidence === null ? null : Math.round(confidence * 1e4) / 1e4 };
    }),
  };
}

/** One quote for each open criterion that the judge gave one for, and whether code found it; for who reviews it. */
export function openQuotes(
  rubric: readonly Criterion[],
  open: readonly string[],
  readings: readonly CriterionReading[],
  sample: Sample,
  gists: readonly PlacedGist[],
): readonly Evidence[] {
  return open.flatMap((id) => {
    const criterion = rubric.find((one) => one.id === id);
    const quote = readings.find((one) => one.id === id)?.quotes[0];
    if (!criterion || quote === undefined) return [];
    return [{ quote, found: foundQuotes(criterion, [quote], sample, gists).length > 0 }];
  });
}

/**
 * The rubric with a person's answers in it. Checks in code are made again where the machine's part is not at hand, as
 * in a blind audit; `stored` is empty then.
 */
export function answeredRubric(
  { rubric, grading }: Pick<Template, "rubric" | "grading">,
  stored: readonly CriterionResult[],
  values: Readonly<Record<string, FieldValue>>,
  sample: Sample | null,
  gists: readonly PlacedGist[],
): RubricResult {
  const machine = stored.length > 0 || sample === null ? stored : checkedInCode(rubric, sample, gists);
  const verdicts = withAnswers(rubric, machine, values);
  // What nobody asked for cannot change the grade, or was sure enough when SCORE looked: no threshold is left to pass.
  return assessRubric(rubric, grading, verdicts, 0);
}

const checkedInCode = (
  rubric: readonly Criterion[],
  sample: Sample,
  gists: readonly PlacedGist[],
): readonly CriterionVerdict[] =>
  machineVerdicts(rubric, [], sample, gists).filter(({ by }) => by === "rule");
