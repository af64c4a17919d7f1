/** `touchstone score`: the way from recorded judge answers to decisions, without a server and without a stack. */
import { outcomes } from "@touchstone/core/schema/outcome";
import type { Result } from "@touchstone/core/schema/result";
import type { Command } from "commander";
import { failure } from "../problem.ts";
import { readAnswers } from "../recorded-answers.ts";
import { percent } from "../render/figures.ts";
import { renderResults } from "../render/result-table.ts";
import { createReport, type ReportOptions } from "../report.ts";
import { scoreFile } from "../score-file.ts";
import { findTask } from "../score-task.ts";
import type { Shell } from "../shell.ts";
import { scoreProblems, scoreWords } from "../words/score-words.ts";

interface ScoreOptions extends ReportOptions {
  readonly task?: string;
  readonly template?: string;
  readonly answers: string;
}

export const addScore = (program: Command, shell: Shell): void => {
  program
    .command("score")
    .description("score the samples of a file with recorded judge answers; needs no server and no stack")
    .argument("<file>", "samples: .jsonl, .jsonl.gz or .csv")
    .requiredOption("--answers <file>", "one chat completion a line, in the order of the samples")
    .option("--task <task>", "the template beside the samples, or the demo task of that name")
    .option("--template <file>", "any other template")
    .option("--lang <zh|en>", "language of what is printed (default: by $LANG)")
    .option("--json", "print one JSON object as the last line of stdout, all else to stderr")
    .addHelpText(
      "after",
      `
Samples that code answers alone take no answer. Lines of a batch tool (custom_id, response.body) are found by sample id.

Example:
  npm run touchstone -- score samples.jsonl --task shop-dialogue --answers answers.jsonl --json`,
    )
    .action(async (file: string, options: ScoreOptions) => {
      const report = createReport(shell, options);
      const task = await findTask(options, file, shell.root);
      const answers = await readAnswers(options.answers);
      const results = await Array.fromAsync(scoreFile(file, { ...task, answers, now: shell.now() }));
      const missing = results.filter(({ judge, usage }) => judge !== null && usage.judgeCalls === 0).length;
      if (missing > 0) throw failure(scoreProblems.fewAnswers(missing));
      const summary = summaryOf(results);
      const words = scoreWords[report.language];
      const rows = results.map((result) => ({ stored: { result, verdict: null, attempts: 0 } }));
      report.say(renderResults(rows, () => task.template, report));
      report.say(words.summary(results.length, percent(summary.machineReviewRate)));
      report.answer({ task: task.template.task, ...summary, results });
    });
};

const summaryOf = (results: readonly Result[]) => {
  const counts = Object.fromEntries(
    outcomes.map((outcome) => [outcome, results.filter(({ decision }) => decision === outcome).length]),
  );
  const valid = results.length - (counts.invalid ?? 0);
  return {
    samples: results.length,
    counts,
    machineReviewRate: valid === 0 ? null : (counts.machine ?? 0) / valid,
  };
};
