/** `touchstone report …`: figures over many batches; so far, the month that finance closes. */
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { addReportMonth } from "./report-month.ts";

export const addReport = (program: Command, shell: Shell): void => {
  const report = program
    .command("report")
    .description("add up what the ledger has counted")
    .addHelpText(
      "after",
      `
Example:
  npm run touchstone -- report month --month 2026-11 --tz Asia/Shanghai`,
    );
  addReportMonth(report, shell);
};
