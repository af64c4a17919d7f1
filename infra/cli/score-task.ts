/** Finds the template by which recorded answers are scored: a file, or a task's own folder. */
import path from "node:path";
import { parseExamples } from "@touchstone/core/domain/template/parse-examples";
import type { LabelledExample } from "@touchstone/core/ports";
import type { Template } from "@touchstone/core/schema/template";
import { failure, usage } from "./problem.ts";
import { templateFile } from "./submit-plan.ts";
import { readTaskFiles } from "./submit-template.ts";
import { scoreProblems } from "./words/score-words.ts";

export interface TaskToScore {
  readonly template: Template;
  readonly examples: readonly LabelledExample[];
}

/**
 * `--template` names it; with `--task` it is the one beside the samples, or the demo's of that name. Examples lie in
 * `examples.jsonl` beside the template.
 */
export const findTask = async (
  asked: { readonly task?: string | undefined; readonly template?: string | undefined },
  samplesFile: string,
  root: string,
): Promise<TaskToScore> => {
  if (asked.template !== undefined) {
    const found = await readTask(path.dirname(asked.template), path.basename(asked.template));
    if (found) return found;
    throw failure(scoreProblems.unreadable(asked.template));
  }
  const { task } = asked;
  if (task === undefined) throw usage(scoreProblems.taskOrTemplate());
  const folders = [path.dirname(samplesFile), path.join(root, "events", "tasks", task)];
  for (const folder of folders) {
    const found = await readTask(folder, templateFile);
    if (found?.template.task === task) return found;
  }
  throw failure(
    scoreProblems.noTemplate(
      task,
      folders.map((folder) => path.join(folder, templateFile)),
    ),
  );
};

const readTask = async (folder: string, name: string): Promise<TaskToScore | null> => {
  const { template, examples } = await readTaskFiles(folder, name);
  if (template === null) return null;
  const parsed = examples === null ? null : parseExamples(new TextDecoder().decode(examples));
  return { template: template.value, examples: parsed && "examples" in parsed ? parsed.examples : [] };
};
