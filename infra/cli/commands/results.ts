/** `touchstone results`: shows the results of a batch or of one sample, or downloads the file of a batch. */

import { standingValues } from "@touchstone/core/domain/results/result-files";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import { type Outcome, outcomes } from "@touchstone/core/schema/outcome";
import type { Command } from "commander";
import { batchView } from "../batch-view.ts";
import type { Connection } from "../connection.ts";
import { downloadResults } from "../download-results.ts";
import { batchesOf, chooseBatch } from "../find-batch.ts";
import { type FoundSample, findSample } from "../find-sample.ts";
import { listResults } from "../list-results.ts";
import { failure, usage } from "../problem.ts";
import { renderBatches } from "../render/batch-table.ts";
import { size } from "../render/figures.ts";
import { printableLine } from "../render/printable.ts";
import { renderResult } from "../render/result.ts";
import { renderResults } from "../render/result-table.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import { gistsOf, templateOf } from "../result-context.ts";
import { resultFiles } from "../result-files.ts";
import type { Shell } from "../shell.ts";
import { problemWords } from "../words/problem-words.ts";
import { resultWords } from "../words/result-words.ts";

interface ResultsOptions extends ReportOptions {
  readonly batch?: string;
  readonly sample?: string;
  readonly task?: string;
  readonly decision?: string;
  readonly limit: string;
  readonly out?: string;
}

export const addResults = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("results")
      .description("show the results of a batch or of one sample, or download a batch's results.jsonl")
      .option("--batch <part>", "the batch, by a unique part of its id")
      .option("--sample <id>", "one sample in full, by the id of its line")
      .option("--task <task>", "look among the batches of this task only")
      .option("--decision <decision>", "only machine, review, invalid or failed")
      .option("--limit <n>", "rows shown", "20")
      .option("--out <file>", "write the batch's results.jsonl there"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- results --batch demo/samples --decision review
  npm run touchstone -- results --sample dlg-017 --lang zh
  npm run touchstone -- results --batch demo/samples --out results.jsonl`,
    )
    .action(async (options: ResultsOptions) => {
      const { batch, sample } = options;
      if (batch === undefined && sample === undefined) throw usage(problemWords.batchOrSample());
      if (options.out !== undefined && batch === undefined) throw usage(problemWords.outNeedsBatch());
      const wish = { limit: wholeNumber("--limit", options.limit), outcome: outcomeOf(options.decision) };
      await connected(shell, options, (connection, report) =>
        sample === undefined
          ? showBatch(connection, report, options, batch ?? "", wish)
          : showSample(connection, report, options, sample),
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
  wish: { readonly limit: number; readonly outcome: Outcome | undefined },
): Promise<void> => {
  const words = resultWords[report.language];
  const record = chooseBatch(await batchesOf(connection, options.task), part);
  const view = await batchView(connection, record);
  if (options.out !== undefined) {
    const bytes = await downloadResults(connection, record, view, options.out);
    report.say(words.written(options.out, size(bytes)));
    report.answer({ batch: view, out: options.out, bytes });
    return;
  }
  const [{ samples, more }, files] = await Promise.all([
    listResults(connection, record, wish),
    resultFiles(connection, record),
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
  if (files.length > 0) report.say("");
  for (const { uri, bytes } of files) report.say(`${printableLine(uri)}  ${size(bytes)}`);
  report.answer({ batch: view, files, samples: samples.map(asJson), more });
};

const showSample = async (
  connection: Connection,
  report: Report,
  options: ResultsOptions,
  id: string,
): Promise<void> => {
  const all = await batchesOf(connection, options.task);
  const batches = options.batch === undefined ? all : [chooseBatch(all, options.batch)];
  const [found, ...others] = await Array.fromAsync(findSample(connection, batches, id));
  if (found === undefined) throw failure(problemWords.noSample(id, batches.length));
  const template = await templateOf(connection, found.stored.result.template);
  const gists = await gistsOf(connection, found);
  report.say(renderResult({ found, template, gists }, report));
  for (const { batch, stored } of others)
    report.say(resultWords[report.language].alsoIn(printableLine(batch.batch), stored.result.line));
  report.answer({
    sample: asJson(found),
    gists: [...gists.values()].filter((gist) => gist !== null),
    alsoIn: others.map(({ batch, stored }) => ({ batch: batch.batch, line: stored.result.line })),
  });
};

const asJson = ({ key, stored }: FoundSample): object => ({
  key: formatSampleKey(key),
  ...stored.result,
  values: standingValues(stored),
  verdict: stored.verdict,
});
