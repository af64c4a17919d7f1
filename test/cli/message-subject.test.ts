/** What a dead letter is about, as `redrive --dry-run` says it: identifiers, and nothing of a sample's text. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { QueueName } from "@touchstone/core/pipeline";
import { expect, test } from "vitest";
import { messageSubject } from "../../infra/cli/message-subject.ts";

const events = path.join(import.meta.dirname, "../../events");
const batch = "talk/2026-11/红花 (1).jsonl@v2";

test.each<readonly [QueueName, string, string]>([
  ["uploads", "01-s3-object-created", batch],
  ["describe", "02-describe-request", `s-1  ${batch}#1#0#0`],
  ["settle", "02-settle-bad-lines", `outcomes  ${batch}#1#0#1,2`],
  ["settle", "02-settle-check", `check  ${batch}#1`],
  ["score", "03-score-request", `s-1  ${batch}#1#0#0`],
  ["settle", "04-settle-outcome", `outcome  ${batch}#1#0#0`],
  ["review", "05-review-hint", `s-1  ${batch}#1#0#0#review`],
  ["settle", "06-settle-verdict", `verdict  ${batch}#1#0#0`],
  ["learn", "07-learn-verdict", `review verdict  ${batch}#1#0#0`],
])("on %s, %s", async (queue, name, expected) => {
  expect(messageSubject(queue, await readFile(path.join(events, `${name}.json`), "utf8"))).toBe(expected);
});

test("a body that is none of ours has no subject", () => {
  for (const body of ["", "null", "{}", '{"kind":"outcomes","schema":1,"outcomes":[]}'])
    expect(messageSubject("settle", body)).toBeNull();
});
