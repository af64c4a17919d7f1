/** `touchstone status`: what every batch is doing, what lies in the queues, and why nothing happens where nothing does. */
import { inboxPrefix } from "@touchstone/core/domain/intake/upload-key";
import type { CoverageSummary } from "@touchstone/core/domain/results/coverage";
import { diagnose } from "@touchstone/core/domain/status/diagnose";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Command } from "commander";
import { inParallel } from "../../../functions/_batch/in-parallel.ts";
import { batchView, readSplits } from "../batch-view.ts";
import type { Connection } from "../connection.ts";
import { coverageByTask } from "../coverage-facts.ts";
import { batchesOf, matchingBatches } from "../find-batch.ts";
import { looseFiles } from "../loose-files.ts";
import { missingSamples } from "../missing-samples.ts";
import { usage } from "../problem.ts";
import { renderBatchDetail } from "../render/batch-detail.ts";
import { renderBatches, renderQueues } from "../render/batch-table.ts";
import { renderCoverage, renderTrust } from "../render/coverage.ts";
import { renderFindings } from "../render/findings.ts";
import { runSummary } from "../render/other-runs.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import { resultFiles } from "../result-files.ts";
import { chooseRun, runNumber, runsOf } from "../runs.ts";
import type { Shell } from "../shell.ts";
import { statusFacts } from "../status-facts.ts";
import { type TrustFacts, trustFacts } from "../trust-facts.ts";
import { batchWords } from "../words/batch-words.ts";
import { problemWords } from "../words/problem-words.ts";

interface StatusOptions extends ReportOptions {
  readonly batch?: string;
  readonly run?: string;
  readonly task?: string;
  readonly all?: boolean;
}

const missingShown = 20;

export const addStatus = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("status")
      .description("show what each batch is doing, the queues, and the open review tasks")
      .option(
        "--batch <part>",
        "one batch, by a unique part of its id: also missing samples and result files",
      )
      .option("--run <n>", "a run of the batch (default: the newest)")
      .option("--task <task>", "only batches of this task")
      .option("--all", "also batches that are final"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- status
  npm run touchstone -- status --all --task shop-dialogue --lang zh
  npm run touchstone -- status --batch demo/samples --json`,
    )
    .action((options: StatusOptions) => {
      const run = runNumber(options.run);
      if (run !== undefined && options.batch === undefined) throw usage(problemWords.runNeedsBatch());
      return connected(shell, options, async (connection, report) => {
        const look = { connection, report, now: shell.now() };
        const asked = await askedFor(connection, options, run, look.now);
        const [only, ...others] = asked.batches;
        if (options.batch !== undefined && only !== undefined && others.length === 0)
          await showOne(look, only, asked.otherRuns);
        else await showAll(look, asked.batches, options);
      });
    });
};

interface Look {
  readonly connection: Connection;
  readonly report: Report;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface Asked {
  readonly batches: readonly BatchRecord[];
  /** Of the one batch that was asked for. */
  readonly otherRuns: readonly BatchRecord[];
}

/** A part that fits several batches shows all of them: a folder may hold several files. */
const askedFor = async (
  connection: Connection,
  { batch, task, all }: StatusOptions,
  run: number | undefined,
  now: number,
): Promise<Asked> => {
  if (batch !== undefined) {
    let known = await batchesOf(connection, task);
    if (!known.some((record) => record.batch.includes(batch))) {
      if (await isLoose(connection, batch, now)) return { batches: [], otherRuns: [] };
      // It may have been taken in between the two looks.
      known = await batchesOf(connection, task);
    }
    const newest = matchingBatches(known, batch);
    const batches = newest.map((record) => chooseRun(runsOf(known, record.batch), run));
    const [only] = batches;
    const runs = only && batches.length === 1 ? runsOf(known, only.batch) : [];
    return { batches, otherRuns: runs.filter((record) => record.run !== only?.run) };
  }
  if (all === true) return { batches: await batchesOf(connection, task), otherRuns: [] };
  const open = await Array.fromAsync(connection.ledger.openBatches());
  return { batches: open.filter((record) => task === undefined || record.task === task), otherRuns: [] };
};

/** A file that was uploaded and became no batch is what the diagnosis is about, not a wrong name. */
const isLoose = async (connection: Connection, part: string, now: number): Promise<boolean> => {
  const loose = await looseFiles(connection, now, connection.timing.sweep.announceWithin * 1000);
  return loose.some(({ key }) => key.slice(inboxPrefix.length).includes(part));
};

const showAll = async (
  { connection, report, now }: Look,
  batches: readonly BatchRecord[],
  options: StatusOptions,
): Promise<void> => {
  const [depths, openReviews, trust, coverage] = await Promise.all([
    connection.queueDepths(),
    connection.openReviews(),
    trustFacts(connection),
    coverageByTask(connection, batches),
  ]);
  const views = await inParallel(batches, 4, (record) => batchView(connection, record, depths));
  const open = batches.filter(({ finalAt }) => finalAt === undefined);
  const findings = diagnose(await statusFacts(connection, open, depths, trust, now));
  const words = batchWords[report.language];
  if (views.length > 0) report.say(renderBatches(views, report));
  else if (options.batch === undefined)
    report.say(options.all === true ? words.noBatches : words.noOpenBatches);
  report.say("");
  report.say(renderQueues(depths, report));
  report.say("");
  report.say(words.openReviews(openReviews.open, openReviews.claimed));
  sayCoverage(coverage, trust, report);
  report.say("");
  report.say(renderFindings(findings, report));
  report.answer({
    ...{ batches: views, queues: depths, openReviews, findings },
    coverage: Object.fromEntries(coverage),
    trust,
  });
};

const showOne = async (
  { connection, report, now }: Look,
  record: BatchRecord,
  otherRuns: readonly BatchRecord[],
): Promise<void> => {
  const [depths, openReviews, splits, files, trust, coverage] = await Promise.all([
    connection.queueDepths(),
    connection.openReviews(),
    readSplits(connection, record),
    resultFiles(connection, record),
    trustFacts(connection),
    coverageByTask(connection, [record]),
  ]);
  const view = await batchView(connection, record, depths);
  const missing = view.undecided > 0 ? await missingSamples(connection, record, splits, missingShown) : [];
  const findings = diagnose(await statusFacts(connection, [record], depths, trust, now));
  report.say(renderBatchDetail({ view, record, missing, files, otherRuns }, report));
  report.say("");
  report.say(renderQueues(depths, report));
  sayCoverage(coverage, trust, report);
  report.say("");
  report.say(renderFindings(findings, report));
  report.answer({
    ...{ batches: [view], missing, files, queues: depths, openReviews, findings },
    coverage: Object.fromEntries(coverage),
    trust,
    replays: record.replays ?? null,
    otherRuns: otherRuns.map(runSummary),
  });
};

const sayCoverage = (
  coverage: ReadonlyMap<string, CoverageSummary>,
  trust: TrustFacts,
  report: Report,
): void => {
  const certificates = renderTrust(trust, report);
  if (coverage.size > 0) report.say(`\n${renderCoverage(coverage, report)}`);
  if (certificates !== "") report.say(`\n${certificates}`);
};
