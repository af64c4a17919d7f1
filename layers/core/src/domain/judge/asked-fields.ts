/** What of a template the judge is asked. */
import type { Field, Template } from "../../schema/template.ts";
import { judgedCriteria } from "../rubric/asked-criteria.ts";

/** Fields that no scorer answers in code. */
export const askedFields = ({ fields, scorers }: Pick<Template, "fields" | "scorers">): readonly Field[] =>
  fields.filter(({ id }) => scorers.every((scorer) => scorer.field !== id));

/** False where code answers everything. */
export const asksJudge = (template: Pick<Template, "fields" | "scorers" | "rubric">): boolean =>
  askedFields(template).length + judgedCriteria(template.rubric).length > 0;
