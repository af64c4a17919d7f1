/** The criteria that a judge is asked, in an order that no position can profit from. Called by prompt and answer. */
import type { Criterion, CriterionCode } from "../../schema/rubric.ts";
import { hash64 } from "../intake/id-set.ts";

/** Those that no rule in code answers. */
export const judgedCriteria = (rubric: readonly Criterion[]): readonly Criterion[] =>
  rubric.filter(({ check }) => check === "llm");

/** The judged criteria in an order drawn from the sample id: the same for the same sample, another for the next. */
export const criteriaInOrder = (rubric: readonly Criterion[], sampleId: string): readonly Criterion[] =>
  judgedCriteria(rubric)
    .map((criterion) => ({ criterion, draw: hash64(`${sampleId}\u0000${criterion.id}`) }))
    .sort(({ draw: left }, { draw: right }) => left[0] - right[0] || left[1] - right[1])
    .map(({ criterion }) => criterion);

/** The codes that a criterion may be answered with. */
export const codesOf = ({ notApplicable }: Pick<Criterion, "notApplicable">): readonly CriterionCode[] =>
  notApplicable ? ["Y", "N", "NA"] : ["Y", "N"];
