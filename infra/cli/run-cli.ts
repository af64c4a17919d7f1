/** Runs one command line; touchstone.ts calls it with the process around it, tests with their own. */
import { Command, CommanderError } from "commander";
import { addBudget } from "./commands/budget.ts";
import { addCalibrate } from "./commands/calibrate.ts";
import { addCanary } from "./commands/canary.ts";
import { addCertify } from "./commands/certify.ts";
import { addImport } from "./commands/import.ts";
import { addLint } from "./commands/lint.ts";
import { addProbe } from "./commands/probe.ts";
import { addRedrive } from "./commands/redrive.ts";
import { addReplay } from "./commands/replay.ts";
import { addReport } from "./commands/report.ts";
import { addResults } from "./commands/results.ts";
import { addReview } from "./commands/review.ts";
import { addScore } from "./commands/score.ts";
import { addSee } from "./commands/see.ts";
import { addStatus } from "./commands/status.ts";
import { addSubmit } from "./commands/submit.ts";
import { exitCodeOf, FaultsFound } from "./problem.ts";
import { problemCode, problemText } from "./problem-text.ts";
import { languageOf } from "./report.ts";
import type { Shell } from "./shell.ts";

export type ExitCode = 0 | 1 | 2;

/** `args` without the program's name. 0: done; 1: could not be done; 2: the command line is wrong. */
export const runCli = async (args: readonly string[], shell: Shell): Promise<ExitCode> => {
  try {
    await createProgram(shell).parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof FaultsFound) return 1;
    const isUsage = error instanceof CommanderError;
    const message = isUsage ? error.message : problemText(error, languageFor(args, shell));
    // Commander has printed its own complaint by now.
    if (!isUsage) shell.stderr(`touchstone: ${message}`);
    if (args.includes("--json"))
      shell.stdout(JSON.stringify({ error: { code: isUsage ? "usage" : problemCode(error), message } }));
    if (shell.env.TOUCHSTONE_DEBUG && error instanceof Error) shell.stderr(error.stack ?? "");
    return isUsage ? 2 : exitCodeOf(error);
  }
};

const createProgram = (shell: Shell): Command => {
  const program = new Command("touchstone")
    .description("The operator's tool of Touchstone, for the running embedded stack and for AWS alike")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout(text.trimEnd()),
      writeErr: (text) => shell.stderr(text.trimEnd()),
    })
    .addHelpText(
      "after",
      `
Without --outputs (or TOUCHSTONE_OUTPUTS) the commands talk to the stack that npm start runs.
Each command has examples: npm run touchstone -- status --help`,
    );
  for (const add of [
    addSubmit,
    addStatus,
    addResults,
    addBudget,
    addReplay,
    addRedrive,
    addReport,
    addReview,
    addLint,
    addProbe,
    addScore,
    addCalibrate,
    addCertify,
    addCanary,
    addSee,
    addImport,
  ])
    add(program, shell);
  return program;
};

/** The language of a complaint, also where the very option is wrong. */
const languageFor = (args: readonly string[], shell: Shell) => {
  const at = args.indexOf("--lang");
  const asked = args[at + 1];
  return languageOf(at >= 0 && (asked === "zh" || asked === "en") ? asked : undefined, shell.env);
};
