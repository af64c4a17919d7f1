/** What SETTLE tells ledger and telemetry of a sample's task: the ledger all of it, telemetry only names that are tasks. */
import { outcomeOf } from "@touchstone/core/domain/intake/entry-message";
import { newSplit } from "@touchstone/core/domain/ledger/split";
import { verdictMessageOf } from "@touchstone/core/domain/review/answer-review";
import type { Result } from "@touchstone/core/schema/result";
import { expect, test } from "vitest";
import { type SettlePorts, settleSplit } from "../../functions/settle/settle.ts";
import { batchId, result, sampleKey } from "../contract/records.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { memoryLedger } from "../memory/memory-ledger.ts";
import { memoryReviewStore } from "../memory/memory-review-store.ts";
import { memorySampleStore } from "../memory/memory-sample-store.ts";
import { memorySender } from "../memory/memory-sender.ts";

const now = Date.parse("2026-10-31T15:59:59Z");
const quarter = String(Math.floor(now / 900_000));

test("samples of one batch count for their own tasks; a task that nobody has is no series of telemetry", async () => {
  const batch = batchId();
  const told: string[] = [];
  const ports: SettlePorts = {
    ledger: memoryLedger(),
    samples: memorySampleStore(),
    reviews: memoryReviewStore(),
    hints: memorySender(),
    learn: memorySender(),
    blobs: memoryBlobStore(() => now),
    clock: () => now,
    resultsBucket: "results",
    count: (event, task) => void told.push(`${event} ${task}`),
  };
  await ports.ledger.putSplit(newSplit(batch, 1, 0, 9, 1));
  const review = {
    ...{ kind: "review" as const, payload: null, reasons: [], questions: [], prefill: [], gists: [] },
    ...{ template: null, priority: 0.5, slaHours: 72 },
  };
  const outcome = (ordinal: number, task: string, decision: Result["decision"]) =>
    outcomeOf(
      sampleKey(ordinal, batch),
      result({ task, decision, decidedAt: now }),
      decision === "review" ? review : null,
    );
  await settleSplit(
    [outcome(0, "dialogue", "machine"), outcome(1, "quiz", "machine"), outcome(2, "nobody", "review")],
    ports,
  );
  const [task] = await Array.fromAsync(ports.reviews.undecided());
  if (!task) throw new Error("no review task was opened");
  const verdict = { schema: 1 as const, reviewer: "amy", values: {}, at: now + 900_000 };
  await settleSplit([verdictMessageOf(task, verdict)], ports);
  expect((await ports.ledger.split(batch, 1, 0))?.tally).toEqual({
    dialogue: { [quarter]: { machine: 1 } },
    quiz: { [quarter]: { machine: 1 } },
    nobody: { [quarter]: { review: 1 }, [String(Number(quarter) + 1)]: { reviewed: 1 } },
  });
  expect(told).toEqual(["machine dialogue", "machine quiz", "review ", "reviewed nobody"]);
});
