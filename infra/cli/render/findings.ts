/** Findings of the diagnosis, one paragraph each. */
import type { Finding, Severity } from "@touchstone/core/domain/status/finding";
import { shortBatchName } from "../batch-name.ts";
import type { Report } from "../report.ts";
import { batchWords } from "../words/batch-words.ts";
import { printableLine } from "./printable.ts";

type Style = Pick<Report, "language" | "colors">;

export const renderFindings = (findings: readonly Finding[], style: Style): string => {
  const words = batchWords[style.language];
  const lines = findings.map(({ severity, batch, run, text }) => {
    const name = batch === null ? "" : `${printableLine(shortBatchName(batch))}${runOf(run, style)}: `;
    return `  ${markOf(severity, style)} ${name}${printableLine(text[style.language])}`;
  });
  return [words.findings, ...lines].join("\n");
};

const runOf = (run: number | null, { language }: Style): string =>
  run === null || run === 1 ? "" : ` (${batchWords[language].run(run)})`;

/** Told by a sign and not by colour alone. */
const markOf = (severity: Severity, { colors }: Style): string => {
  switch (severity) {
    case "blocked":
      return colors.red("✗");
    case "waiting":
      return colors.yellow("…");
    case "moving":
      return colors.green("→");
    default:
      return severity satisfies never;
  }
};
