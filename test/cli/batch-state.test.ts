import { noCounts } from "@touchstone/core/domain/ledger/split";
import { batchIdSchema } from "@touchstone/core/schema/identity";
import { describe, expect, test } from "vitest";
import { takeIn } from "../../functions/intake/intake.ts";
import { shortBatchName } from "../../infra/cli/batch-name.ts";
import { batchStateOf } from "../../infra/cli/batch-state.ts";
import { chooseBatch } from "../../infra/cli/find-batch.ts";
import { batchId, batchRecord } from "../contract/records.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { memoryLedger } from "../memory/memory-ledger.ts";
import { memorySender } from "../memory/memory-sender.ts";
import { memoryTemplateStore } from "../memory/memory-template-store.ts";

const sealed = { splits: 1, samples: 10, at: 1 };
const counts = (part: Partial<ReturnType<typeof noCounts>>) => ({ ...noCounts(), total: 10, ...part });

describe("the state of a batch", () => {
  test.each([
    ["reading", {}, {}, false],
    ["reading", {}, { machine: 10 }, true],
    ["unreadable", { sealed: { ...sealed, samples: 0 }, fault: "it is not there" }, { total: 0 }, false],
    ["empty", { sealed: { ...sealed, samples: 0 } }, { total: 0 }, false],
    ["describing", { sealed }, { machine: 3 }, true],
    ["scoring", { sealed }, { machine: 3, review: 2, invalid: 1, failed: 1 }, false],
    ["scoring", { sealed, fault: "cut off" }, { machine: 3 }, false],
    ["waiting", { sealed }, { machine: 7, review: 3, reviewed: 2 }, true],
    ["closing", { sealed }, { machine: 7, review: 3, reviewed: 3 }, true],
    ["closing", { sealed }, { machine: 10 }, false],
    ["final", { sealed, finalAt: 9 }, { machine: 10 }, false],
  ] as const)("%s: %j %j", (state, record, part, isDescribing) => {
    expect(batchStateOf(record, counts(part), isDescribing)).toBe(state);
  });

  test.each([
    ["empty", ""],
    ["empty", "\n  \n"],
    ["unreadable", null],
  ] as const)("a file is %s as INTAKE itself seals it: %j", async (state, body) => {
    const record = batchRecord({ source: { bucket: "b", key: "inbox/t/b/s.jsonl" } });
    const blobs = memoryBlobStore();
    if (body !== null) await blobs.write(record.source, body, "application/jsonl");
    const taken = await takeIn(record, {
      ...{ blobs, ledger: memoryLedger(), templates: memoryTemplateStore(), clock: () => 1 },
      ...{ describe: memorySender(), score: memorySender(), settle: memorySender(), resultsBucket: "r" },
    });
    expect(batchStateOf(taken, noCounts(), false)).toBe(state);
  });
});

test.each([
  ["shop/day 1/samples.jsonl@v1", "day 1/samples.jsonl"],
  ["shop/a@b/s.csv@etag+00", "a@b/s.csv"],
  ["s.jsonl@v", "s.jsonl"],
])("the batch %s is called %s", (id, name) => expect(shortBatchName(batchIdSchema.parse(id))).toBe(name));

describe("choosing a batch by a part of its id", () => {
  const day = batchRecord({ batch: batchIdSchema.parse("shop/day/s.jsonl@v1") });
  const again = { ...day, run: 2 };
  const night = batchRecord({ batch: batchIdSchema.parse("shop/night/s.jsonl@v2") });
  const longer = batchRecord({ batch: batchIdSchema.parse("shop/day/s.jsonl@v12") });

  test("the newest run of the one that fits", () =>
    expect(chooseBatch([day, again, night], "day/")).toBe(again));
  test("an id given whole means itself", () => expect(chooseBatch([longer, day], day.batch)).toBe(day));
  test("several that fit are named", () =>
    expect(() => chooseBatch([day, night], "shop")).toThrow(
      /"shop" fits several batches: shop\/day.*shop\/night/,
    ));
  test("none that fits is told", () =>
    expect(() => chooseBatch([day], batchId())).toThrow(/no batch has .* list them with: status --all/));
});
