/** `touchstone certify`: proves how far the machine may be trusted with a task, or says what is missing. */
import { termsOf } from "@touchstone/core/domain/trust/certify-family";
import type { PendingRule } from "@touchstone/core/domain/trust/evidence";
import type { Command } from "commander";
import { type CertifyOutcome, certifyTask } from "../certify-task.ts";
import { observeFamily } from "../observe-family.ts";
import { failure } from "../problem.ts";
import { percent, renderCertificate, renderTests } from "../render/certificate.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { daysBefore, withWindow } from "../window.ts";
import { certificateProblems, certificateWords } from "../words/certificate-words.ts";

interface CertifyOptions extends ReportOptions {
  readonly days: string;
  readonly alone?: boolean;
  readonly again?: boolean;
  readonly pendingAsErrors?: boolean;
}

export const addCertify = (program: Command, shell: Shell): void => {
  withReportOptions(
    withWindow(
      program
        .command("certify")
        .description("test on random audits up to which coverage the machine's error is bounded")
        .argument("<task>", "the task; all tasks of its family are certified together")
        .option("--alone", "this task only, in place of its family's certificate")
        .option(
          "--pending-as-errors",
          "count unanswered audits as errors (default: the window ends before the oldest of them)",
        )
        .option("--again", "test anew although a certificate stands; each test spends a part of delta"),
    ),
  )
    .addHelpText(
      "after",
      `
Example:
  npm run touchstone -- certify shop-dialogue --json`,
    )
    .action(async (task: string, options: CertifyOptions) => {
      const now = shell.now();
      const pendingRule: PendingRule = options.pendingAsErrors === true ? "count-as-errors" : "end-before";
      const window = { from: daysBefore(options.days, now), alone: options.alone === true, pendingRule };
      await connected(shell, options, async (connection, report) => {
        const observed = await observeFamily(connection, task, window);
        if (termsOf(observed.evidence).draw.rate === 0) throw failure(certificateProblems.noAudits(task));
        const outcome = await certifyTask(connection, observed, { now, again: options.again === true });
        tell(outcome, report);
        report.answer(outcome);
      });
    });
};

const tell = (outcome: CertifyOutcome, report: Report): void => {
  const words = certificateWords[report.language];
  switch (outcome.kind) {
    case "standing":
      report.say(renderCertificate(outcome.certificate, report));
      report.say(words.standing(outcome.certificate.id));
      break;
    case "too-few":
      report.say(words.tooFew(outcome.audits, outcome.needed, outcome.pending, outcome.behind));
      break;
    case "floor":
      report.say(floorText(outcome, words));
      break;
    case "tested":
      tellTests(outcome, report);
      break;
    default:
      outcome satisfies never;
  }
};

const floorText = (
  { test, certificate }: Extract<CertifyOutcome, { kind: "floor" }>,
  words: (typeof certificateWords)["en"],
): string => {
  switch (test.kind) {
    case "waiting":
      return words.floorWaiting(test.seen, test.needed);
    case "passed":
      return words.floorPassed(certificate.id, test.needed);
    case "failed":
      return words.floorFailed;
    default:
      return test satisfies never;
  }
};

const tellTests = (
  { index, certificate, certification }: Extract<CertifyOutcome, { kind: "tested" }>,
  report: Report,
): void => {
  const words = certificateWords[report.language];
  const { answer, audits, pending, behind, vetoes } = certification;
  if (answer.tests.length > 0) report.say(renderTests(answer.tests, report));
  report.say(certificate ? renderCertificate(certificate, report) : words.notCertified(index, audits));
  if (pending > 0) report.say(words.pending(pending, behind));
  for (const { criterion, certification: own, audits: looked } of vetoes) {
    const bound = own.proof?.bound;
    report.say(
      bound === undefined
        ? words.vetoMissing(criterion, looked)
        : words.veto(criterion, percent(bound), looked),
    );
  }
};
