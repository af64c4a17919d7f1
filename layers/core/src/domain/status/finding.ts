/** One answer to "why is nothing happening?": what is the matter, how bad it is, and what to do. */
import type { BatchId } from "../../schema/identity.ts";
import type { Language } from "../decide/reason-text.ts";

/** In the order in which they are told, the worst first. */
export const severities = ["blocked", "waiting", "moving"] as const;
/** `blocked`: a person has to act; `waiting`: it goes on by itself, or people are asked for; `moving`: all is well. */
export type Severity = (typeof severities)[number];

/** In the order in which they are told within a severity. */
export const findingCodes = [
  "template-broken",
  "template-missing",
  "source-gone",
  "file-damaged",
  "not-taken-in",
  "intake-stopped",
  "dead-letters",
  "budget-spent",
  "endpoint-held",
  "endpoint-throttled",
  "endpoint-failing",
  "certificate-void",
  "media-awaited",
  "not-polled",
  "quiet",
  "not-closed",
  "in-flight",
  "waiting-for-people",
  "working",
  "idle",
] as const;
export type FindingCode = (typeof findingCodes)[number];

export type FindingText = Readonly<Record<Language, string>>;

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Null where it is not about one batch. */
  readonly batch: BatchId | null;
  readonly run: number | null;
  readonly text: FindingText;
}

/** Makes a finding about a batch. */
export type Teller = (code: FindingCode, severity: Severity, text: FindingText) => Finding;

/** Worst first; equal ones stay in their order. */
export const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort(
    (left, right) =>
      severities.indexOf(left.severity) - severities.indexOf(right.severity) ||
      findingCodes.indexOf(left.code) - findingCodes.indexOf(right.code),
  );
