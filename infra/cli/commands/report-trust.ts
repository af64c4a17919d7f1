/** `touchstone report trust`: how far a task's machine answers may be trusted, on one page or as JSON. */
import { type TrustReport, trustReport } from "@touchstone/core/domain/report/trust-report";
import type { Command } from "commander";
import { usage } from "../problem.ts";
import { readTrust } from "../read-trust.ts";
import { shellQuoted } from "../render/shell-quoted.ts";
import { renderTrustReport } from "../render/trust/report-text.ts";
import { trustPage } from "../render/trust-report.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { daysBefore, withWindow } from "../window.ts";
import { reportProblems, reportWords } from "../words/trust-report-words.ts";
import { writeWhole } from "../write-whole.ts";

interface TrustOptions extends ReportOptions {
  readonly days: string;
  readonly html?: string;
  readonly target: string;
  readonly auditMinutes: string;
  readonly hourPrice?: string;
  readonly currency: string;
}

const progressEveryMs = 3_000;

export const addReportTrust = (report: Command, shell: Shell): void => {
  withReportOptions(
    withWindow(
      report
        .command("trust")
        .description("how far the machine may be trusted with a task, and what more would take")
        .argument("<task>", "the task")
        .option("--html <file>", "write the report there, as one web page with its figures")
        .option("--target <share>", "the share of samples that the machine should answer", "0.97")
        .option("--audit-minutes <n>", "minutes that a person needs for one check", "2")
        .option("--hour-price <amount>", "price of an hour of that work")
        .option("--currency <name>", "the currency of the price", "CNY"),
    ),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- report trust shop-dialogue
  npm run touchstone -- report trust shop-dialogue --html trust.html --lang zh --hour-price 60
  npm run touchstone -- report trust shop-dialogue --target 0.95 --json`,
    )
    .action(async (task: string, options: TrustOptions) => {
      const now = shell.now();
      const from = daysBefore(options.days, now);
      const target = targetOf(options.target);
      const price = {
        minutes: above0("--audit-minutes", options.auditMinutes),
        perHour: options.hourPrice === undefined ? null : above0("--hour-price", options.hourPrice),
        currency: options.currency,
      };
      await connected(shell, options, async (connection, speak) => {
        const evidence = await readTrust(connection, task, from, progress(shell, speak));
        await tell(trustReport({ ...evidence, target, price, now }), options, speak);
      });
    });
};

const above0 = (option: string, asked: string): number => {
  const number = Number(asked);
  if (asked.trim() === "" || !Number.isFinite(number) || number <= 0)
    throw usage(reportProblems.notAbove(option, asked));
  return number;
};

/** Nothing is certified below the lowest point of the grid. */
const targetOf = (asked: string): number => {
  const share = Number(asked);
  if (asked.trim() === "" || !(share >= 0.5 && share <= 1)) throw usage(reportProblems.notCoverage(asked));
  return share;
};

const progress = (shell: Shell, speak: Report) => {
  let next = shell.now() + progressEveryMs;
  return (batches: number, samples: number): void => {
    if (shell.now() < next) return;
    next = shell.now() + progressEveryMs;
    speak.note(reportWords.progress(batches, samples)[speak.language]);
  };
};

const tell = async (report: TrustReport, options: TrustOptions, speak: Report): Promise<void> => {
  speak.say(renderTrustReport(report, speak));
  if (options.html !== undefined) {
    await writeWhole(options.html, trustPage(report, speak.language));
    speak.say(`\n${reportWords.written(shellQuoted(options.html))[speak.language]}`);
  }
  speak.answer(options.html === undefined ? report : { ...report, html: options.html });
};
