/** `touchstone calibrate`: fits how a family's raw probabilities become true ones, from what people said. */
import { calibrateFamily } from "@touchstone/core/domain/calibration/calibrate-family";
import { termsOf } from "@touchstone/core/domain/trust/certify-family";
import { calibrationPoints } from "@touchstone/core/domain/trust/evidence";
import { withCalibration } from "@touchstone/core/domain/trust/family-trust";
import { sinceAlarm } from "@touchstone/core/domain/trust/new-window";
import type { Command } from "commander";
import { observeFamily } from "../observe-family.ts";
import { connected, type ReportOptions, withReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { daysBefore, withWindow } from "../window.ts";
import { certificateWords } from "../words/certificate-words.ts";

interface CalibrateOptions extends ReportOptions {
  readonly days: string;
}

export const addCalibrate = (program: Command, shell: Shell): void => {
  withReportOptions(
    withWindow(
      program
        .command("calibrate")
        .description("fit a task family's calibration to the verdicts of people")
        .argument("<task>", "any task of the family"),
    ),
  )
    .addHelpText(
      "after",
      `
A certificate keeps the calibration it was given on; certify again to use the new one.

Example:
  npm run touchstone -- calibrate shop-dialogue`,
    )
    .action(async (task: string, options: CalibrateOptions) => {
      const now = shell.now();
      const from = daysBefore(options.days, now);
      await connected(shell, options, async (connection, report) => {
        const { evidence: observed, trust } = await observeFamily(connection, task, {
          from,
          alone: false,
          pendingRule: "end-before",
        });
        const evidence = sinceAlarm(observed, trust);
        const points = calibrationPoints(
          evidence.tasks.flatMap(({ samples }) => samples),
          termsOf(evidence).draw,
        );
        const calibration = calibrateFamily({
          family: evidence.family,
          fingerprints: evidence.tasks.map(({ fingerprint }) => fingerprint),
          points,
          at: now,
        });
        await connection.trust.changeFamily(evidence.family, (standing) =>
          withCalibration(standing, calibration),
        );
        const words = certificateWords[report.language];
        const { calibrator, choice, fittedOn, metrics } = calibration;
        const kind = `${words.kinds[calibrator.kind]}: ${words.reasons[choice.reason]}`;
        report.say(words.calibrated(evidence.family, kind, fittedOn.points, fittedOn.errors.toFixed(1)));
        if (metrics.before && metrics.after)
          report.say(words.better(metrics.before.ece.toFixed(3), metrics.after.ece.toFixed(3)));
        report.answer({ calibration });
      });
    });
};
