/** The budgets of a batch's run: what is stored, and what the templates say where nothing has been spent yet. */
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { CallBudget } from "@touchstone/core/schema/pressure";
import type { Connection } from "./connection.ts";
import { failure } from "./problem.ts";
import { budgetProblems } from "./words/budget-words.ts";

type Ports = Pick<Connection, "budgets" | "templates">;

/** Of the tasks that have drawn on theirs, and of the batch's own task where its template sets one. */
export const batchBudgets = async (ports: Ports, record: BatchRecord): Promise<readonly CallBudget[]> => {
  const { batch, run } = record;
  const stored = await ports.budgets.read(batch, run);
  const pin = record.templates?.find(({ task }) => task === record.task);
  if (!pin || stored.some(({ task }) => task === pin.task)) return stored;
  const limit = (await ports.templates.pinned(pin)).budget.judgeCallsPerBatch;
  if (limit === undefined) return stored;
  return [...stored, { batch, run, task: pin.task, limit, left: limit, resumedAt: null }];
};

/** The one that is meant; a problem says which there are. */
export const chooseBudget = (
  budgets: readonly CallBudget[],
  record: Pick<BatchRecord, "task">,
  task: string | undefined,
): CallBudget => {
  const fitting = task === undefined ? budgets : budgets.filter((budget) => budget.task === task);
  const [first, ...others] = fitting;
  if (first === undefined) throw failure(budgetProblems.noBudget(task ?? record.task), "no-budget");
  if (others.length > 0) throw failure(budgetProblems.whichTask(fitting.map((budget) => budget.task)));
  return first;
};
