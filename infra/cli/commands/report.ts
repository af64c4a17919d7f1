/** `touchstone report …`: figures over many batches: the month that finance closes, and how far a task may be trusted. */
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { addReportMonth } from "./report-month.ts";
import { addReportTrust } from "./report-trust.ts";

export const addReport = (program: Command, shell: Shell): void => {
  const report = program
    .command("report")
    .description("figures over many batches: a month, or the trust in a task")
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- report month --month 2026-11 --tz Asia/Shanghai
  npm run touchstone -- report trust shop-dialogue --html trust.html`,
    );
  addReportMonth(report, shell);
  addReportTrust(report, shell);
};
