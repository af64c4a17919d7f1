/** `touchstone report month`: samples, reviews and rates of a month by task, for finance. */
import { type Month, monthWindow, parseMonth, zoneNamed } from "@touchstone/core/domain/finance/month-window";
import type { Command } from "commander";
import { type MonthFigures, monthCsv, monthJson } from "../month-figures.ts";
import { usage } from "../problem.ts";
import { readMonth } from "../read-month.ts";
import { renderMonth } from "../render/month-table.ts";
import { shellQuoted } from "../render/shell-quoted.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { monthProblems, monthWords } from "../words/month-words.ts";
import { writeWhole } from "../write-whole.ts";

interface MonthOptions extends ReportOptions {
  readonly month: string;
  readonly tz: string;
  readonly task?: string;
  readonly csv?: boolean;
  readonly out?: string;
}

const progressEveryMs = 3_000;

export const addReportMonth = (report: Command, shell: Shell): void => {
  withReportOptions(
    report
      .command("month")
      .description("samples decided, verdicts given and rates of one month, by task")
      .requiredOption("--month <YYYY-MM>", "the month, e.g. 2026-11")
      .requiredOption("--tz <zone>", "the time zone whose month it is, e.g. Asia/Shanghai")
      .option("--task <task>", "only this task")
      .option("--csv", "print a table for a spreadsheet")
      .option("--out <file>", "write it there: CSV, or JSON where only --json is given"),
  )
    .addHelpText(
      "after",
      `
A sample counts in the month in which it was decided, a verdict in the month in which it was given. Each run of a
batch counts: a replay is work that was paid for. A month is from midnight of its first day up to, and without,
midnight of the next month's, by the clocks of the time zone.

Examples:
  npm run touchstone -- report month --month 2026-11 --tz Asia/Shanghai
  npm run touchstone -- report month --month 2026-11 --tz Asia/Shanghai --lang zh --out november.csv
  npm run touchstone -- report month --month 2026-11 --tz Europe/Berlin --task shop-dialogue --json`,
    )
    .action(async (options: MonthOptions) => {
      const month = monthNamed(options.month);
      const zone = zoneOf(options.tz);
      if (options.csv && options.json && options.out === undefined) throw usage(monthProblems.csvOrJson());
      await connected(shell, options, async (connection, speak) => {
        const window = monthWindow(month, zone);
        const report = await readMonth(connection, window, options.task, progress(shell, speak));
        const isEnded = shell.now() >= window.end;
        await tell({ month, zone, window, isEnded, report }, options, speak, shell);
      });
    });
};

const monthNamed = (text: string): Month => {
  const month = parseMonth(text);
  if (month === null) throw usage(monthProblems.noMonth(text));
  return month;
};

const zoneOf = (text: string): string => {
  const zone = zoneNamed(text);
  if (zone !== null) return zone;
  const part = text.slice(text.lastIndexOf("/") + 1).toLowerCase();
  const alike =
    part.length < 3
      ? undefined
      : Intl.supportedValuesOf("timeZone").find((name) => name.toLowerCase().includes(part));
  throw usage(monthProblems.noZone(text, alike));
};

/** A ledger of years is read in minutes; somebody who waits is told that it goes on. */
const progress = (shell: Shell, speak: Report) => {
  let next = shell.now() + progressEveryMs;
  return (batches: number, splits: number): void => {
    if (shell.now() < next) return;
    next = shell.now() + progressEveryMs;
    speak.note(monthWords[speak.language].progress(batches, splits));
  };
};

const tell = async (
  figures: MonthFigures,
  options: MonthOptions,
  speak: Report,
  shell: Shell,
): Promise<void> => {
  const words = monthWords[speak.language];
  const json = monthJson(figures);
  const csv = (): string => monthCsv(figures, words);
  if (options.out !== undefined) {
    const isCsv = options.csv === true || options.json !== true;
    await writeWhole(options.out, isCsv ? csv() : `${JSON.stringify(json, null, 2)}\n`);
    speak.say(words.written(shellQuoted(options.out)));
  } else if (options.csv === true) {
    // The shell ends the last line itself.
    shell.stdout(csv().replace(/\n$/, ""));
  } else {
    speak.say(renderMonth(figures, speak));
  }
  speak.answer(options.out === undefined ? json : { ...json, out: options.out });
};
