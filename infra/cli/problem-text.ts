/** One clear line for anything that a command may throw, whoever threw it. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { CliProblem } from "./problem.ts";
import { printableLine } from "./render/printable.ts";
import { problemWords } from "./words/problem-words.ts";

/** Of the AWS SDK, which has no error codes for these. */
const credentialErrors: readonly string[] = [
  "CredentialsProviderError",
  "ExpiredToken",
  "ExpiredTokenException",
];

export const problemText = (error: unknown, language: Language): string => {
  if (error instanceof CliProblem) return printableLine(error.text[language]);
  const refused = chain(error).find((one) => codeOf(one) === "ECONNREFUSED" || codeOf(one) === "ECONNRESET");
  if (refused) return problemWords.notAnswering(addressOf(refused))[language];
  if (error instanceof Error && credentialErrors.includes(error.name))
    return problemWords.noCredentials()[language];
  const [message] = chain(error)
    .map(messageOf)
    .filter((text) => text !== "");
  return printableLine(message ?? String(error));
};

/** The code for `--json`: the problem's, the pipeline's or the SDK's own. */
export const problemCode = (error: unknown): string => {
  if (error instanceof CliProblem) return error.code;
  return codeOf(error) ?? (error instanceof Error ? error.name : "failure");
};

/** The error, what it wraps, and what caused it; an SDK hides a refused connection behind both. */
const chain = (error: unknown): readonly unknown[] => {
  if (!(error instanceof Error)) return [error];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  const cause = error.cause === undefined || error.cause === error ? [] : [error.cause];
  return [error, ...[...inner, ...cause].flatMap(chain)];
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "");

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

const addressOf = (error: unknown): string => {
  if (!(error instanceof Error) || !("address" in error) || !("port" in error)) return "the endpoint";
  return `${String(error.address)}:${String(error.port)}`;
};
