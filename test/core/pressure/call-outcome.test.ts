/** What each error says of the endpoint and costs the sample; every code of ours has a row. */
import { callOutcomeOf, isWaiting } from "@touchstone/core/domain/pressure/call-outcome";
import { type ErrorCode, errorCodes, permanent, transient } from "@touchstone/core/errors";
import { expect, test } from "vitest";

const rows: Readonly<Record<ErrorCode, readonly [outcome: string, waits: boolean]>> = {
  throttled: ["busy", true],
  unusable: ["unusable", true],
  held: ["unsaid", true],
  "timed-out": ["failed", false],
  unavailable: ["failed", false],
  "bad-answer": ["failed", false],
  refused: ["answered", false],
  "context-too-long": ["answered", false],
  "payload-too-large": ["unsaid", false],
  "bad-message": ["unsaid", false],
  "bad-file": ["unsaid", false],
  "bad-template": ["unsaid", false],
  "no-template": ["unsaid", false],
  "object-missing": ["unsaid", false],
  "object-too-large": ["unsaid", false],
  conflict: ["unsaid", false],
  "send-incomplete": ["unsaid", false],
};

test.each(errorCodes.map((code) => [code, ...rows[code]] as const))(
  "%s: %s, waits: %s",
  (code, outcome, waits) => {
    for (const error of [transient(code, "x"), permanent(code, "x"), { code }]) {
      expect(callOutcomeOf(error)).toBe(outcome);
      expect(isWaiting(error)).toBe(waits);
    }
  },
);

test.each([
  [new Error("x")],
  [undefined],
  ["throttled"],
  [Object.assign(new Error("x"), { code: "ECONNRESET" })],
])("what is not ours says nothing: %s", (error) => {
  expect(callOutcomeOf(error)).toBe("unsaid");
  expect(isWaiting(error)).toBe(false);
});
