/** `touchstone results`: shows the results of a batch or of one sample, or downloads the file of a batch. */

import { standingValues } from "@touchstone/core/domain/results/result-files";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import { type Outcome, outcomes } from "@touchstone/core/schema/outcome";
import type { Command } from "commander";
import { formatSummary } from "../batch-summary.ts";
import { batchView } from "../batch-view.ts";
import type { Connection } from "../connection.ts";
import { downloadResults } from "../download-results.ts";
import { batchesOf, chooseBatch } from "../find-batch.ts";
import { type FoundSample, findSample } from "../find-sample.ts";
import { listResults } from "../list-results.ts";
import { FaultsFound, failure, usage } from "../problem.ts";
import { rebuildPrompt } from "../rebuild-prompt.ts";
import { renderBatches } from "../render/batch-table.ts";
import { size } from "../render/figures.ts";
import { renderFormat } from "../render/format.ts";
import { renderOtherRuns, runSummary } from "../render/other-runs.ts";
import { printableLine } from "../render/printable.ts";
import { renderPrompt } from "../render/prompt.ts";
import { renderResult } from "../render/result.ts";
import { renderResults } from "../render/result-table.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import { gistsOf, templateOf } from "../result-context.ts";
import { resultFiles } from "../result-files.ts";
import { chooseRun, runNumber, runsOf } from "../runs.ts";
import type { Shell } from "../shell.ts";
import { problemWords } from "../words/problem-words.ts";
import { promptWords } from "../words/prompt-words.ts";
import { resultWords } from "../words/result-words.ts";

interface ResultsOptions extends ReportOptions {
  readonly batch?: string;
  readonly run?: string;
  readonly sample?: string;
  readonly task?: string;
  readonly decision?: string;
  readonly limit: string;
  readonly out?: string;
  readonly prompt?: boolean;
}

export const addResults = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("results")
      .description("show the results of a batch or of one sample, or download a batch's results.jsonl")
      .option("--batch <part>", "the batch, by a unique part of its id")
      .option("--run <n>", "a run of the batch (default: the newest)")
      .option("--sample <id>", "one sample in full, by the id of its line")
      .option("--task <task>", "look among the batches of this task only")
      .option("--decision <decision>", "only machine, review, invalid or failed")
      .option("--limit <n>", "rows shown", "20")
      .option("--out <file>", "write the batch's results.jsonl there")
      .option(
        "--prompt",
        "with --sample: rebuild the judge's prompt, and compare its SHA-256 with the stored one",
      ),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- results --batch demo/samples --decision review
  npm run touchstone -- results --sample dlg-017 --lang zh
  npm run touchstone -- results --sample dlg-017 --prompt
  npm run touchstone -- results --batch demo/samples --out results.jsonl`,
    )
    .action(async (options: ResultsOptions) => {
      const { batch, sample } = options;
      if (batch === undefined && sample === undefined) throw usage(problemWords.batchOrSample());
      if (options.out !== undefined && batch === undefined) throw usage(problemWords.outNeedsBatch());
      if (options.run !== undefined && batch === undefined) throw usage(problemWords.runNeedsBatch());
      if (options.prompt === true && sample === undefined) throw usage(promptWords.needsSample());
      const wish = {
        limit: wholeNumber("--limit", options.limit),
        outcome: outcomeOf(options.decision),
        run: runNumber(options.run),
      };
      await connected(shell, options, (connection, report) =>
        sample === undefined
          ? showBatch(connection, report, options, batch ?? "", wish)
          : showSample(connection, report, options, sample, wish.run),
      );
    });
};

const wholeNumber = (option: string, asked: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(asked)) throw usage(problemWords.notANumber(option, asked));
  return Number(asked);
};

const outcomeOf = (asked: string | undefined): Outcome | undefined => {
  const outcome = outcomes.find((known) => known === asked);
  if (asked !== undefined && outcome === undefined) throw usage(problemWords.unknownDecision(asked));
  return outcome;
};

const showBatch = async (
  connection: Connection,
  report: Report,
  options: ResultsOptions,
  part: string,
  wish: {
    readonly limit: number;
    readonly outcome: Outcome | undefined;
    readonly run: number | undefined;
  },
): Promise<void> => {
  const words = resultWords[report.language];
  const all = await batchesOf(connection, options.task);
  const runs = runsOf(all, chooseBatch(all, part).batch);
  const record = chooseRun(runs, wish.run);
  const view = await batchView(connection, record);
  if (options.out !== undefined) {
    const bytes = await downloadResults(connection, record, view, options.out);
    report.say(words.written(options.out, size(bytes)));
    report.answer({ batch: view, out: options.out, bytes });
    return;
  }
  const [{ samples, more }, files, format] = await Promise.all([
    listResults(connection, record, wish),
    resultFiles(connection, record),
    formatSummary(connection, record),
  ]);
  const templates = new Map(
    await Promise.all(
      samples.map(
        async (found) => [found, await templateOf(connection, found.stored.result.template)] as const,
      ),
    ),
  );
  report.say(renderBatches([view], report));
  report.say("");
  if (samples.length === 0) report.say(words.noResults);
  else report.say(renderResults(samples, (found) => templates.get(found) ?? null, report));
  if (more > 0) report.say(words.more(more));
  if (format) report.say(renderFormat(format, report.language));
  if (files.length > 0) report.say("");
  for (const { uri, bytes } of files) report.say(`${printableLine(uri)}  ${size(bytes)}`);
  const others = runs.filter(({ run }) => run !== record.run);
  if (others.length > 0) report.say(renderOtherRuns(others, report));
  report.answer({
    batch: view,
    files,
    format,
    samples: samples.map(asJson),
    more,
    otherRuns: others.map(runSummary),
  });
};

const showSample = async (
  connection: Connection,
  report: Report,
  options: ResultsOptions,
  id: string,
  run: number | undefined,
): Promise<void> => {
  const all = await batchesOf(connection, options.task);
  // A replay may have taken other samples than this one, so every run is looked through, newest first.
  const runs = options.batch === undefined ? all : runsOf(all, chooseBatch(all, options.batch).batch);
  const batches = run === undefined ? runs : [chooseRun(runs, run)];
  const [found, ...others] = await Array.fromAsync(findSample(connection, batches, id));
  if (found === undefined) throw failure(problemWords.noSample(id, batches.length));
  if (options.prompt === true) return showPrompt(connection, report, found);
  const template = await templateOf(connection, found.stored.result.template);
  const gists = await gistsOf(connection, found);
  report.say(renderResult({ found, template, gists }, report));
  for (const { batch, stored } of others)
    report.say(
      resultWords[report.language].alsoIn(printableLine(batch.batch), batch.run, stored.result.line),
    );
  report.answer({
    sample: asJson(found),
    gists: [...gists.values()].filter((gist) => gist !== null),
    alsoIn: others.map(({ batch, stored }) => ({
      batch: batch.batch,
      run: batch.run,
      line: stored.result.line,
    })),
  });
};

const showPrompt = async (connection: Connection, report: Report, found: FoundSample): Promise<void> => {
  const { prompt, sha256, stored } = await rebuildPrompt(connection, found);
  const equal = sha256 === stored;
  const verdict = equal ? promptWords.equal(sha256) : promptWords.differs(stored, sha256);
  report.say(renderPrompt(prompt, report));
  report.say(`\n${verdict[report.language]}`);
  const { messages, tokens, cuts } = prompt;
  const { sampleId } = found.stored.result;
  report.answer({ sampleId, equal, sha256, stored, tokens, cuts, messages });
  if (!equal) throw new FaultsFound();
};

const asJson = ({ key, stored }: FoundSample): object => ({
  key: formatSampleKey(key),
  ...stored.result,
  values: standingValues(stored),
  verdict: stored.verdict,
});
