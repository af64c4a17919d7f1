/** Finds the template that `touchstone lint` looks over: a file, a task's folder, or what a deployment runs. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { parseExamples } from "@touchstone/core/domain/template/parse-examples";
import type { LabelledExample } from "@touchstone/core/ports";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import type { Template } from "@touchstone/core/schema/template";
import type { Connection } from "./connection.ts";
import { failure } from "./problem.ts";
import { templateFile } from "./submit-plan.ts";
import { readTaskFiles } from "./submit-template.ts";
import { lintProblems } from "./words/lint-words.ts";

export interface LintSource {
  readonly template: Template;
  /** File names that the task's labelled examples have; null where no example has any. */
  readonly files: readonly string[] | null;
}

/** Null where nothing of that name is on the disk. */
export const sourceOnDisk = async (given: string): Promise<LintSource | null> => {
  const found = await stat(given).catch(() => null);
  if (found === null) {
    if (/[/\\.]/.test(given)) throw failure(lintProblems.noFile(given));
    return null;
  }
  const file = found.isDirectory() ? path.join(given, templateFile) : given;
  const { template, examples } = await readTaskFiles(path.dirname(file), path.basename(file));
  if (template === null) throw failure(lintProblems.noFile(file));
  const parsed = parseExamples(new TextDecoder().decode(examples ?? new Uint8Array()));
  return { template: template.value, files: deliverableNames("examples" in parsed ? parsed.examples : []) };
};

/** The current template of a task. */
export const sourceOfTask = async (
  { templates }: Pick<Connection, "templates">,
  given: string,
): Promise<LintSource> => {
  const task = taskIdSchema.safeParse(given).data;
  const current = task === undefined ? null : await templates.current(task);
  if (current === null) throw failure(lintProblems.noTask(given));
  return {
    template: current.template,
    files: deliverableNames(await templates.examples(current.pin)),
  };
};

const deliverableNames = (examples: readonly LabelledExample[]): readonly string[] | null => {
  const names = examples.flatMap(({ sample }) => (sample.deliverables ?? []).map(({ name }) => name));
  return names.length === 0 ? null : [...new Set(names)];
};
