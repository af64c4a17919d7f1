/** Criteria and rubrics written short; used by the rubric tests. */
import type { CriterionVerdict } from "@touchstone/core/domain/rubric/assess";
import {
  type Criterion,
  type CriterionCode,
  criterionSchema,
  type Grading,
  gradingSchema,
} from "@touchstone/core/schema/rubric";

/** A positive, negative or (with 0 points) veto criterion of that id. */
export const criterion = (id: string, points: number, part: object = {}): Criterion =>
  criterionSchema.parse({
    id,
    text: `criterion ${id}`,
    kind: points > 0 ? "positive" : points < 0 ? "negative" : "veto",
    points,
    ...part,
  });

/** `{a: 5, b: -3}` as criteria. */
export const rubricOf = (points: Readonly<Record<string, number>>): Criterion[] =>
  Object.entries(points).map(([id, value]) => criterion(id, value));

export const grading = (part: object = {}): Grading => gradingSchema.parse(part);

/** A at 0.8, B at 0.5, C below. */
export const abc: Grading = grading({
  bands: [
    { name: "C", min: 0 },
    { name: "B", min: 0.5 },
    { name: "A", min: 0.8 },
  ],
});

export const met = (
  codes: Readonly<Record<string, CriterionCode | null>>,
): Map<string, CriterionCode | null> => new Map(Object.entries(codes));

/** A judge's verdict of that probability. */
export const said = (
  id: string,
  code: CriterionCode | null,
  confidence: number | null,
  part: Partial<CriterionVerdict> = {},
): CriterionVerdict => ({ id, met: code, confidence, ...part });
