/** How one command speaks: people's lines, progress, and with `--json` one object as the last line of stdout. */
import { type Language, languages } from "@touchstone/core/domain/decide/reason-text";
import type { Command } from "commander";
import pc from "picocolors";
import type { Connection } from "./connection.ts";
import { usage } from "./problem.ts";
import type { Shell } from "./shell.ts";
import { problemWords } from "./words/problem-words.ts";

/** Options that every command takes. */
export interface ReportOptions {
  readonly json?: boolean;
  readonly lang?: string;
  readonly outputs?: string;
}

export interface Report {
  readonly language: Language;
  readonly isJson: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
  /** A line of the answer; goes to stderr under `--json`. */
  say(text: string): void;
  /** Progress and remarks; always stderr. */
  note(text: string): void;
  /** The answer for programs; printed under `--json` only. */
  answer(value: object): void;
}

export const createReport = (shell: Shell, options: ReportOptions): Report => ({
  language: languageOf(options.lang, shell.env),
  isJson: options.json === true,
  colors: pc.createColors(shell.isColored),
  say: options.json === true ? shell.stderr : shell.stdout,
  note: shell.stderr,
  answer: (value) => {
    if (options.json === true) shell.stdout(JSON.stringify(value));
  },
});

/** `--lang`, else the locale of the environment; English where neither says anything else. */
export const languageOf = (asked: string | undefined, env: Shell["env"]): Language => {
  if (asked === undefined) {
    const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
    return /^zh/i.test(locale) ? "zh" : "en";
  }
  const known = languages.find((language) => language === asked);
  if (known === undefined) throw usage(problemWords.unknownLanguage(asked));
  return known;
};

/** Adds the options that every command takes. */
export const withReportOptions = (command: Command): Command =>
  command
    .option("--outputs <file>", "the file `cdk deploy --outputs-file` wrote (default: $TOUCHSTONE_OUTPUTS)")
    .option("--lang <zh|en>", "language of what is printed (default: by $LANG)")
    .option("--json", "print one JSON object as the last line of stdout, all else to stderr");

/** Runs `work` with an open connection and closes it whatever happens. */
export const connected = async (
  shell: Shell,
  options: ReportOptions,
  work: (connection: Connection, report: Report) => Promise<void>,
): Promise<void> => {
  const report = createReport(shell, options);
  const connection = await shell.connect(
    options.outputs === undefined ? {} : { outputsFile: options.outputs },
  );
  try {
    await work(connection, report);
  } finally {
    connection.close();
  }
};
