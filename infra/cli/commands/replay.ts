/** `touchstone replay`: takes a batch's file in once more, as a new run beside the old results. */
import type { Command } from "commander";
import { batchView } from "../batch-view.ts";
import type { Connection } from "../connection.ts";
import { batchesOf, chooseBatch } from "../find-batch.ts";
import { parseOnly, planReplay } from "../plan-replay.ts";
import { failure } from "../problem.ts";
import { printableLine } from "../render/printable.ts";
import { shellQuoted } from "../render/shell-quoted.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import { requestReplay } from "../request-replay.ts";
import { chooseRun, runNumber, runsOf } from "../runs.ts";
import type { Shell } from "../shell.ts";
import { replayProblems, replayWords } from "../words/replay-words.ts";

interface ReplayOptions extends ReportOptions {
  readonly batch: string;
  readonly only?: string;
  readonly run?: string;
  readonly wait: boolean;
}

const waitMs = 30_000;

export const addReplay = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("replay")
      .description("score a batch again as a new run, with the templates of now; old results stay")
      .requiredOption("--batch <part>", "the batch, by a unique part of its id")
      .option("--only <outcomes>", "only samples that ended as failed, invalid or review (several: a,b)")
      .option("--run <n>", "the run that is repeated (default: the newest)")
      .option("--no-wait", "do not wait until the run is opened"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- replay --batch demo/samples --only failed
  npm run touchstone -- replay --batch demo/samples --only review,invalid --json
  npm run touchstone -- results --batch demo/samples --run 1`,
    )
    .action(async (options: ReplayOptions) => {
      const wish = { run: runNumber(options.run), only: parseOnly(options.only) };
      await connected(shell, options, (connection, report) => replay(connection, report, options, wish));
    });
};

const replay = async (
  connection: Connection,
  report: Report,
  options: ReplayOptions,
  wish: { readonly run: number | undefined; readonly only: ReturnType<typeof parseOnly> },
): Promise<void> => {
  const words = replayWords[report.language];
  const all = await batchesOf(connection);
  const newest = chooseBatch(all, options.batch);
  const repeated = chooseRun(runsOf(all, newest.batch), wish.run);
  const views = [await batchView(connection, newest), await batchView(connection, repeated)] as const;
  const { request, samples } = planReplay(...views, wish.only);
  if ((await connection.blobs.head(newest.source)) === null)
    throw failure(replayProblems.noSource(newest.source.key), "object-missing");
  const opened = await requestReplay(connection, request, options.wait ? waitMs : 0);
  const [view] = views;
  report.say(words.asked(printableLine(view.name), request.run, samples, opened !== null));
  const left = views[1].counts.review - views[1].counts.reviewed;
  if (left > 0) report.say(words.reviewsStay(repeated.run, left));
  report.say(words.next(shellQuoted(newest.batch)));
  report.answer({
    ...{ batch: newest.batch, run: request.run, replays: request.replays, samples },
    opened: opened !== null,
  });
};
