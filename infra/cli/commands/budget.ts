/** `touchstone budget`: what a batch may still spend on the judge, and how to let it spend more. */
import { estimateCalls, isUsedUp, spentCalls } from "@touchstone/core/domain/pressure/budget";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { CallBudget } from "@touchstone/core/schema/pressure";
import type { Command } from "commander";
import { batchBudgets, chooseBudget } from "../batch-budgets.ts";
import { batchView } from "../batch-view.ts";
import type { Connection } from "../connection.ts";
import { batchesOf, chooseBatch } from "../find-batch.ts";
import { usage } from "../problem.ts";
import { renderTable } from "../render/table.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import { chooseRun, runNumber, runsOf } from "../runs.ts";
import type { Shell } from "../shell.ts";
import { budgetWords } from "../words/budget-words.ts";
import { problemWords } from "../words/problem-words.ts";

interface BudgetOptions extends ReportOptions {
  readonly batch: string;
  readonly run?: string;
  readonly task?: string;
  readonly calls?: string;
}

export const addBudget = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("budget")
      .description("show what a batch has spent on the judge and may still spend, or set another limit")
      .requiredOption("--batch <part>", "the batch, by a unique part of its id")
      .option("--run <n>", "a run of the batch (default: the newest)")
      .option("--task <task>", "the task, where samples of several tasks are in the batch")
      .option("--calls <n>", "judge calls that may be made in all, those that are spent included"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- budget --batch demo/samples
  npm run touchstone -- budget --batch demo/samples --calls 5000`,
    )
    .action(async (options: BudgetOptions) => {
      const wish = { run: runNumber(options.run), calls: callsOf(options.calls) };
      await connected(shell, options, async (connection, report) => {
        const all = await batchesOf(connection);
        const record = chooseRun(runsOf(all, chooseBatch(all, options.batch).batch), wish.run);
        if (wish.calls !== undefined)
          await setCalls(connection, report, record, options.task, wish.calls, shell.now());
        await show(connection, report, record);
      });
    });
};

const callsOf = (asked: string | undefined): number | undefined => {
  if (asked === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(asked)) throw usage(problemWords.notANumber("--calls", asked));
  return Number(asked);
};

const setCalls = async (
  connection: Connection,
  report: Report,
  record: BatchRecord,
  task: string | undefined,
  calls: number,
  now: number,
): Promise<void> => {
  const words = budgetWords[report.language];
  const before = chooseBudget(await batchBudgets(connection, record), record, task);
  const after = await connection.budgets.setLimit(before, calls, before.limit, now);
  report.say(words.raised(after.task, after.limit));
  if (isUsedUp(after)) report.say(words.stillUsedUp(spentCalls(after)));
  else if (after.resumedAt === now) report.say(words.resumes);
};

const show = async (connection: Connection, report: Report, record: BatchRecord): Promise<void> => {
  const words = budgetWords[report.language];
  const [budgets, view] = await Promise.all([
    batchBudgets(connection, record),
    batchView(connection, record),
  ]);
  const pin = record.templates?.find(({ task }) => task === record.task);
  const template = pin && (await connection.templates.pinned(pin));
  const needed = template ? estimateCalls(template, view.undecided) : null;
  report.say(budgets.length === 0 ? words.noBudgets : renderBudgets(budgets, report));
  if (needed !== null && view.undecided > 0) report.say(words.needs(view.undecided, needed));
  report.answer({
    ...{ batch: record.batch, run: record.run, undecided: view.undecided, needed },
    budgets: budgets.map(({ task, limit, left, ...budget }) => ({
      ...{ task, limit, left },
      spent: spentCalls({ ...budget, task, limit, left }),
    })),
  });
};

const renderBudgets = (budgets: readonly CallBudget[], { language, colors }: Report): string => {
  const { columns } = budgetWords[language];
  const right = (title: string) => ({ title, align: "right" as const });
  return renderTable(
    [{ title: columns.task }, right(columns.limit), right(columns.spent), right(columns.left)],
    budgets.map((budget) => [
      budget.task,
      String(budget.limit),
      String(spentCalls(budget)),
      isUsedUp(budget) ? colors.red(String(budget.left)) : String(budget.left),
    ]),
    colors.dim,
  );
};
