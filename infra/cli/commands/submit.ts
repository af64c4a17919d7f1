/** `touchstone submit DIR`: sends a folder of samples to be scored. */
import type { Command } from "commander";
import type { Connection } from "../connection.ts";
import { estimateFolder } from "../estimate-folder.ts";
import { printableLine } from "../render/printable.ts";
import { shellQuoted } from "../render/shell-quoted.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { submitFolder } from "../submit-folder.ts";
import { budgetWords } from "../words/budget-words.ts";
import { submitWords } from "../words/submit-words.ts";

interface SubmitCommandOptions extends ReportOptions {
  readonly task?: string;
  readonly batch?: string;
  readonly templateDir?: string;
  readonly estimate?: boolean;
}

/** Files are told one by one up to this many, then only every so many. */
const toldSingly = 20;

export const addSubmit = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("submit")
      .description("send a folder of samples (*.jsonl, *.jsonl.gz, *.csv) and media to be scored")
      .argument("<dir>", "the folder; template.yaml and examples.jsonl in it are the task's")
      .option("--task <task>", "task name (default: that of template.yaml, else the folder's name)")
      .option("--batch <batch>", "batch name (default: the folder's name and the time)")
      .option("--template-dir <dir>", "take template.yaml and examples.jsonl from there")
      .option("--estimate", "say how many judge calls it would take, and send nothing"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- submit ./today
  npm run touchstone -- submit events/batches/quiz-exact/2026-week-25 --template-dir events/tasks/quiz-exact
  npm run touchstone -- submit ./today --estimate
  npm run touchstone -- submit ./today --task shop-dialogue --batch 2026-03-09 --json`,
    )
    .action((dir: string, options: SubmitCommandOptions) =>
      connected(shell, options, async (connection, report) => {
        if (options.estimate === true) return showEstimate(connection, report, dir, options, shell.now);
        const words = submitWords[report.language];
        const submission = await submitFolder(connection, dir, {
          task: options.task,
          batch: options.batch,
          templateDir: options.templateDir,
          language: report.language,
          now: shell.now,
          onProgress: ({ done, total, key }) => {
            if (total <= toldSingly || done === total || done % Math.ceil(total / toldSingly) === 0)
              report.note(words.uploading(done, total, printableLine(key)));
          },
        });
        const { task, batch, files, media, warnings } = submission;
        report.say(words.submitted(task, printableLine(batch), files.length, media));
        for (const { batchId } of files) report.say(`  ${printableLine(batchId)}`);
        for (const warning of warnings)
          report.say(`${report.colors.yellow(words.warning)} ${printableLine(warning)}`);
        report.say(words.next(shellQuoted(batch)));
        report.answer(submission);
      }),
    );
};

const showEstimate = async (
  connection: Connection,
  report: Report,
  dir: string,
  { task, batch, templateDir }: SubmitCommandOptions,
  now: Shell["now"],
): Promise<void> => {
  const words = budgetWords[report.language];
  const estimate = await estimateFolder(connection, dir, { task, batch, templateDir, now });
  const { calls, budget, waiting, files } = estimate;
  report.say(words.estimate(estimate.task, estimate.samples, calls));
  if (budget === null) report.say(words.unlimited);
  else if (waiting > 0) report.say(words.tooLittle(budget, waiting));
  else if (calls.most <= budget) report.say(words.enough(budget));
  if (budget !== null && files.length > 1) report.say(words.perFile(budget));
  report.say(words.notSent);
  report.answer(estimate);
};
