/** `touchstone lint`: looks a task's rubric over before anyone is judged by it. */
import { lintRubric } from "@touchstone/core/domain/rubric/lint";
import type { Command } from "commander";
import { type LintSource, sourceOfTask, sourceOnDisk } from "../lint-source.ts";
import { FaultsFound } from "../problem.ts";
import { renderLint } from "../render/lint.ts";
import { connected, createReport, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { lintWords } from "../words/lint-words.ts";

export const addLint = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("lint")
      .description("look a rubric over: what makes verdicts disagree or points meaningless")
      .argument("<task>", "a template.yaml, a task's folder, or a task of the running deployment"),
  )
    .addHelpText(
      "after",
      `
The exit code is 1 where there are errors; warnings alone leave it 0.

Examples:
  npm run touchstone -- lint events/tasks/report-rubric --lang zh
  npm run touchstone -- lint report-rubric --json`,
    )
    .action(async (given: string, options: ReportOptions) => {
      const onDisk = await sourceOnDisk(given);
      if (onDisk !== null) return tell(onDisk, createReport(shell, options));
      return connected(shell, options, async (connection, report) =>
        tell(await sourceOfTask(connection, given), report),
      );
    });
};

const tell = ({ template, files }: LintSource, report: Report): void => {
  const { task, version, rubric, grading } = template;
  const findings = rubric.length === 0 ? [] : lintRubric(rubric, grading, files);
  const count = (wanted: "error" | "warning"): number =>
    findings.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const words = lintWords[report.language];
  if (findings.length > 0) report.say(renderLint(rubric, findings, report));
  report.say(rubric.length === 0 ? words.noRubric(task) : words.total(task, rubric.length, errors, warnings));
  report.answer({ task, version, criteria: rubric.length, errors, warnings, findings });
  if (errors > 0) throw new FaultsFound();
};
