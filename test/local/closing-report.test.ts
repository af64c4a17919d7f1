/** What `npm start` says of the trust behind its machine decisions: what is so, and no more. */
import type { Result } from "@touchstone/core/schema/result";
import { expect, test } from "vitest";
import { trustLines } from "../../infra/local/run/closing-report.ts";
import { result } from "../contract/records.ts";

const machine = (vouchedBy: Result["vouchedBy"]): Result => result({ decision: "machine", vouchedBy });
const exact = machine("exact");
const provisional = machine("provisional-threshold");
const certified = machine("certificate");
const review = result({ decision: "review", vouchedBy: null });

test.each([
  ["nothing was decided by the machine", [review], []],
  ["code compared all", [exact, exact], []],
  ["no certificate stands", [provisional, exact, provisional, review], [/uncertified.*: 2\./]],
  ["a certificate stands for some", [certified, provisional], [/certificate.*: 1\./, /uncertified.*: 1\./]],
  ["a certificate stands for all", [certified, certified, exact], [/certificate.*: 2\./]],
] as const)("%s", (_, results, expected) => {
  const lines = trustLines(results, "en");
  expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)));
});
