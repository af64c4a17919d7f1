/** Makes the request memos that are scored by a rubric; called by events/generate-demo.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { judgedCriteria } from "@touchstone/core/domain/rubric/asked-criteria";
import { answeredRubric } from "@touchstone/core/domain/rubric/verdicts";
import { parseTemplate } from "@touchstone/core/domain/template/parse-template";
import { gradeLabel } from "@touchstone/core/schema/rubric-links";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { entry, items, material, type Node, text, texts } from "./material.ts";

const templatePath = join(import.meta.dirname, "../tasks/report-rubric/template.yaml");

/** The fresh batch: each memo with the verdicts that its author gave, and the grade that they come to. */
export function memoSamples(): readonly Sample[] {
  const parsed = parseTemplate(readFileSync(templatePath, "utf8"));
  if (!("template" in parsed)) throw new Error(`${templatePath}: ${JSON.stringify(parsed.problems)}`);
  return items(material("report-memos")).map((node) => memoSample(node, parsed.template));
}

function memoSample(node: Node, template: Template): Sample {
  const at = (key: string): string => text(entry(node, key));
  const [holding, notApplying] = [texts(entry(node, "met")), texts(entry(node, "na"))];
  const ids = judgedCriteria(template.rubric).map(({ id }) => id);
  const unknown = [...holding, ...notApplying].find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new Error(`${node.at}: no judged criterion "${unknown}"`);
  const verdicts = Object.fromEntries(
    ids.map((id) => [id, holding.includes(id) ? "Y" : notApplying.includes(id) ? "NA" : "N"]),
  );
  const sample: Sample = {
    id: at("id"),
    input: at("ask"),
    output: "简报已写好，见附件。",
    deliverables: [{ name: text(entry(node, "file"), "memo.md"), content: at("memo") }],
  };
  const { grade } = answeredRubric(template, [], verdicts, sample, []);
  if (grade === null) throw new Error(`${node.at}: the verdicts come to no grade`);
  return {
    ...sample,
    labels: { ...verdicts, [gradeLabel]: grade },
    meta: { topic: at("topic"), language: "zh", difficulty: at("difficulty") },
  };
}
