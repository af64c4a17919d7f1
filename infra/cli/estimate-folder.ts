/** What a folder would cost in judge calls, before anything of it is sent. `submit --estimate` calls it. */
import path from "node:path";
import { type CallEstimate, estimateCalls } from "@touchstone/core/domain/pressure/budget";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import type { Connection } from "./connection.ts";
import { countSamples } from "./count-samples.ts";
import { folderFiles } from "./folder-files.ts";
import { failure } from "./problem.ts";
import { prepareSubmission, type SubmitOptions } from "./submit-folder.ts";
import { budgetProblems } from "./words/budget-words.ts";

export interface FolderEstimate {
  readonly task: string;
  /** Broken lines included; all of them as if they were of this task. */
  readonly samples: number;
  readonly calls: CallEstimate;
  /** Of the template, for each file by itself; null where it sets none. */
  readonly budget: number | null;
  /** Samples that would wait for a higher budget in the best case. */
  readonly waiting: number;
  readonly files: readonly { readonly path: string; readonly samples: number }[];
}

export const estimateFolder = async (
  connection: Pick<Connection, "templates">,
  dir: string,
  options: SubmitOptions,
): Promise<FolderEstimate> => {
  const { plan, task: own } = await prepareSubmission(await folderFiles(dir), dir, options);
  const task = taskIdSchema.parse(plan.task);
  const template = own.template?.value ?? (await connection.templates.current(task))?.template;
  if (template === undefined) throw failure(budgetProblems.noTemplate(task));
  const files: { readonly path: string; readonly samples: number }[] = [];
  for (const { path: name } of plan.batchFiles) {
    const broken = (cause: unknown) => failure(budgetProblems.unreadable(name), undefined, cause);
    files.push({ path: name, samples: await countSamples(path.join(dir, name), broken) });
  }
  const samples = files.reduce((sum, file) => sum + file.samples, 0);
  const budget = template.budget.judgeCallsPerBatch ?? null;
  const over = (count: number): number =>
    budget === null ? 0 : Math.max(0, estimateCalls(template, count).least - budget);
  return {
    task,
    samples,
    calls: estimateCalls(template, samples),
    budget,
    waiting: files.reduce((sum, file) => sum + over(file.samples), 0),
    files,
  };
};
