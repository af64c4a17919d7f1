/** `touchstone canary`: whether a judge that answered frozen samples again has become worse. */
import { canaryLevel, fewestCanaries } from "@touchstone/core/domain/watch/mcnemar";
import type { Command } from "commander";
import { batchView } from "../batch-view.ts";
import { type CanaryOutcome, compareRuns } from "../compare-runs.ts";
import type { Connection } from "../connection.ts";
import { batchesOf, chooseBatch } from "../find-batch.ts";
import { FaultsFound, failure } from "../problem.ts";
import { percent } from "../render/figures.ts";
import { printableLine } from "../render/printable.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import { chooseRun, runNumber, runsOf } from "../runs.ts";
import type { Shell } from "../shell.ts";
import { canaryProblems, canaryWords } from "../words/canary-words.ts";

interface CanaryOptions extends ReportOptions {
  readonly batch: string;
  readonly run?: string;
  readonly against?: string;
}

export const addCanary = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("canary")
      .description("compare two runs of a batch of frozen samples, and tell the watch over the certificate")
      .requiredOption("--batch <part>", "the batch, by a unique part of its id")
      .option("--run <n>", "the later run (default: the newest)")
      .option("--against <n>", "the earlier run (default: the one before it)"),
  )
    .addHelpText(
      "after",
      `
Samples need a human answer: labels in their file, or a verdict in either run. Ends with 1 where the judge has become
worse (McNemar's exact test, p < ${canaryLevel}).

Examples:
  npm run touchstone -- replay --batch canaries/samples
  npm run touchstone -- canary --batch canaries/samples`,
    )
    .action(async (options: CanaryOptions) => {
      const [run, against] = [runNumber(options.run), runNumber(options.against)];
      await connected(shell, options, async (connection, report) => {
        const all = await batchesOf(connection);
        const runs = runsOf(all, chooseBatch(all, options.batch).batch);
        const after = chooseRun(runs, run);
        const earlier = runs.filter((record) => record.run < after.run);
        if (earlier.length === 0) throw failure(canaryProblems.oneRun(printableLine(after.batch)));
        const before = chooseRun(earlier, against);
        await expectDecided(connection, [before, after]);
        const outcome = await compareRuns(connection, before, after);
        tell(outcome, report);
        report.answer(outcome);
        if (isWorse(outcome)) throw new FaultsFound();
      });
    });
};

const expectDecided = async (
  connection: Connection,
  runs: readonly Parameters<typeof batchView>[1][],
): Promise<void> => {
  for (const run of runs) {
    const { undecided } = await batchView(connection, run);
    if (undecided > 0) throw failure(canaryProblems.notDecided(run.run));
  }
};

const isWorse = ({ broke, mended, p }: CanaryOutcome): boolean => broke > mended && p < canaryLevel;

const tell = (outcome: CanaryOutcome, { say, language, colors }: Report): void => {
  const { runs, samples, rightBefore, rightAfter, broke, mended, p, watch, alarm } = outcome;
  const words = canaryWords;
  say(words.compared(runs[0], runs[1], samples)[language]);
  say(words.right(percent(rightBefore / samples), percent(rightAfter / samples))[language]);
  say(words.flips(broke, mended, p.toPrecision(2))[language]);
  const verdict = isWorse(outcome) ? colors.red(words.worse[language]) : words.noWorse[language];
  say(verdict);
  if (samples < fewestCanaries) say(colors.dim(words.few(fewestCanaries)[language]));
  const heard = { told: words.told, none: words.none, "other-judge": words.otherJudge }[watch];
  say(heard[language]);
  if (alarm) say(colors.red(words.voided[language]));
};
