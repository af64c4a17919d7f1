/** What the CLI tells a person when it cannot go on: one line, in both languages, and the exit code that goes with it. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";

export type Text = Readonly<Record<Language, string>>;

/** `usage`: the command line is wrong (exit code 2); `failure`: the command could not be carried out (1). */
export type ProblemKind = "usage" | "failure";

export class CliProblem extends Error {
  readonly kind: ProblemKind;
  readonly text: Text;
  /** For programs that read `--json`, e.g. a kind of the review API. */
  readonly code: string;

  constructor(kind: ProblemKind, text: Text, code: string = kind, cause?: unknown) {
    super(text.en, { cause });
    this.name = "CliProblem";
    this.kind = kind;
    this.text = text;
    this.code = code;
  }
}

export const usage = (text: Text): CliProblem => new CliProblem("usage", text);
export const failure = (text: Text, code?: string, cause?: unknown): CliProblem =>
  new CliProblem("failure", text, code, cause);

export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof CliProblem && error.kind === "usage" ? 2 : 1;

/** Ends a command whose answer has been given and is that something is wrong: exit code 1, and no further word. */
export class FaultsFound extends Error {
  constructor() {
    super("faults were found");
    this.name = "FaultsFound";
  }
}
