/** `replay`, and how `status` and `results` show a batch of several runs; INTAKE and SETTLE are driven by hand. */
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { result, templateYaml } from "../contract/records.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let first: BatchRecord;
beforeAll(async () => {
  world = await startWorld();
  const lines = ["p-1", "p-2", "p-3"].map((id) => JSON.stringify({ id, output: "答" }));
  const dir = await world.folder("again", {
    "template.yaml": templateYaml("again", 1),
    "s.jsonl": `${lines[0]}\n\n${lines[1]}\nnot json\n${lines[2]}\n`,
  });
  await world.cli("submit", dir, "--batch", "b1");
  first = await world.takeIn("inbox/again/b1/s.jsonl");
});
afterAll(async () => await world?.close());

const decide = async (
  record: BatchRecord,
  ordinal: number,
  sampleId: string,
  decision: "machine" | "failed",
) =>
  world.decide(
    record,
    ordinal,
    result({
      ...{ task: "again", sampleId, decision, line: [1, 3, 4, 5][ordinal] },
      ...(decision === "failed"
        ? { vouchedBy: null, fields: [], reasons: [{ code: "gave-up" as const }] }
        : {}),
    }),
  );

describe("replay", () => {
  test("of a batch at work is refused, with a word on why", async () => {
    const refused = await world.cli("replay", "--batch", "again/b1", "--json");
    expect([refused.code, refused.json]).toMatchObject([1, { error: { code: "not-decided" } }]);
    expect(refused.err).toMatch(/run 1 of b1\/s\.jsonl is still at work \(3 samples without an outcome\)/);
  });

  test.each([
    [["replay"], 2, /required option '--batch <part>'/],
    [
      ["replay", "--batch", "again", "--only", "machine"],
      2,
      /--only takes failed, invalid or review, not "machine"/,
    ],
    [["replay", "--batch", "again", "--run", "0"], 2, /--run takes a whole number from 1/],
    [["replay", "--batch", "nobody"], 1, /no batch has "nobody" in its id/],
    [["results", "--sample", "p-1", "--run", "2"], 2, /--run names a run of one batch; give --batch B/],
    [["status", "--run", "2"], 2, /--run names a run of one batch/],
  ])("%j is refused", async (args, code, message) => {
    const given = await world.cli(...args);
    expect([given.code, given.err]).toEqual([code, expect.stringMatching(message)]);
  });

  test("of what failed is a run of those lines; both runs can be seen", async () => {
    await decide(first, 0, "p-1", "machine");
    await decide(first, 1, "p-2", "failed");
    await decide(first, 3, "p-3", "failed");
    expect((await world.cli("replay", "--batch", "again", "--only", "review")).err).toMatch(
      /run 1 of b1\/s\.jsonl has no sample that ended as review; there is nothing to replay/,
    );
    expect((await world.cli("replay", "--batch", "again", "--run", "4")).err).toMatch(
      /the batch has no run 4; its newest is run 1/,
    );

    const asked = await world.cli("replay", "--batch", "again", "--only", "failed", "--no-wait", "--json");
    expect([asked.code, asked.json]).toMatchObject([
      0,
      { batch: first.batch, run: 2, replays: { run: 1, only: ["failed"] }, samples: 2, opened: false },
    ]);
    const [second] = await world.receiveUploads();
    if (!second) throw new Error("no run was opened");

    const status = await world.cli("status", "--batch", "again", "--json");
    expect(status.json).toMatchObject({
      batches: [{ run: 2, undecided: 2, counts: { total: 2 } }],
      missing: [
        { line: 3, sampleId: "p-2", exact: true },
        { line: 5, sampleId: "p-3", exact: true },
      ],
      replays: { run: 1, only: ["failed"] },
      otherRuns: [{ run: 1, decidedAt: expect.any(Number) }],
    });
    const detail = await world.cli("status", "--batch", "again");
    expect(detail.out).toMatch(/b1\/s\.jsonl \(run 2\)/);
    expect(detail.out).toContain("Repeats run 1, only what ended as failed");
    expect(detail.out).toMatch(/Other runs of this batch \(see one with --run N\): run 1 \(decided /);
    expect((await world.cli("replay", "--batch", "again")).err).toMatch(/run 2 of .* is still at work/);

    await decide(second, 0, "p-2", "machine");
    await decide(second, 1, "p-3", "failed");
    const shown = await world.cli("results", "--batch", "again", "--json");
    expect(shown.json).toMatchObject({
      batch: { run: 2, final: true, counts: { total: 2, machine: 1, failed: 1 } },
      samples: [
        { sampleId: "p-2", decision: "machine" },
        { sampleId: "p-3", decision: "failed" },
      ],
      otherRuns: [{ run: 1 }],
    });
    const before = await world.cli("results", "--batch", "again", "--run", "1", "--json");
    expect(before.json).toMatchObject({ batch: { run: 1, counts: { total: 4, machine: 1, failed: 2 } } });
    const one = await world.cli("results", "--batch", "again", "--sample", "p-2", "--json");
    expect(one.json).toMatchObject({ sample: { decision: "machine" }, alsoIn: [{ run: 1, line: 3 }] });
    // Only the first run has this one.
    expect((await world.cli("results", "--batch", "again", "--sample", "p-1")).code).toBe(0);
    expect((await world.cli("results", "--batch", "again", "--run", "2", "--sample", "p-1")).code).toBe(1);
  });

  test("asked for by two people at once is one run, and the second is told", async () => {
    const mine = world.cli("replay", "--batch", "again", "--run", "1", "--only", "invalid");
    const theirs = world.cli("replay", "--batch", "again", "--run", "1", "--only", "failed,invalid");
    // Both have looked before either run was opened.
    const connection = await world.connect();
    await vi.waitFor(async () => expect((await connection.queueDepths()).uploads.waiting).toBe(2), 10_000);
    connection.close();
    await world.receiveUploads();
    const answers = await Promise.all([mine, theirs]);
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(answers.map(({ err }) => err).join()).toMatch(/somebody else asked for run 3 first/);
    expect(await world.ledger.batch(first.batch, 4)).toBeNull();
  });

  test("of a file that is no longer stored is refused", async () => {
    const gone = { ...first, run: 9, source: { ...first.source, versionId: "gone" }, decidedAt: 5 };
    await world.ledger.open({ ...gone, sealed: { splits: 1, samples: 4, at: 1 }, finalAt: 5 });
    const split = await world.ledger.split(first.batch, 1, 0);
    if (split) await world.ledger.putSplit({ ...split, run: 9 });
    expect((await world.cli("replay", "--batch", "again", "--no-wait")).err).toMatch(
      /this version of inbox\/again\/b1\/s\.jsonl is no longer stored/,
    );
  });
});
