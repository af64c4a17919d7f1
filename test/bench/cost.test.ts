/** The arithmetic of `bench cost`: what a counted call is billed as, and how counts become a million samples. */
import { describe, expect, test } from "vitest";
import type { CallCount } from "../../infra/local/recorder.ts";
import { billOf, linesOf, usdOf } from "./cost-bill.ts";
import { type Counted, type Declared, type HopCount, hopOf } from "./cost-counts.ts";
import { type Assumptions, callUsage, fixedUsage, variableUsage } from "./cost-usage.ts";
import { billedServices, type Price, prices } from "./prices.ts";

const call = (part: Partial<CallCount>): CallCount => ({
  ...{ caller: "ScoreFunctionE6EBE4F9", service: "sqs", operation: "SendMessageBatch" },
  ...{ resource: "touchstone-dev-pipeline-SettleQueueD6D513CC", calls: 1, errors: 0 },
  ...{ requestBytes: 0, responseBytes: 0, chunks: 1, capacityUnits: 0 },
  ...part,
});
const dynamo = (operation: string, part: Partial<CallCount>): CallCount =>
  call({ service: "dynamodb", operation, resource: "x-storage-SamplesTable6BA69DDE", ...part });

const idle: HopCount = { invocations: 0, cpuMs: 0, logLines: 0, logBytes: 0 };
const counted = (
  part: Partial<Omit<Counted, "hops">> & { readonly hops?: Partial<Counted["hops"]> },
): Counted => ({
  ...{ samples: 1000, reviews: 0, calls: [] },
  ...part,
  hops: {
    ...{ intake: idle, describe: idle, score: idle, settle: idle, review: idle, learn: idle, sweep: idle },
    ...part.hops,
  },
});
const declared: Declared = {
  memoryMb: { intake: 1024, describe: 1024, score: 512, settle: 512, review: 512, learn: 512, sweep: 512 },
  batchSize: { intake: 1, describe: 10, score: 25, settle: 10 },
  ...{ alarms: 12, dashboards: 1 },
};
const assumed: Assumptions = {
  ...{ judgeLatencyMs: 4000, tail: 2.5, tasks: 40, toldTogether: 12.5, callMs: 10, fullCpuMb: 1024 },
  ...{ platformLogLines: 3, platformLogBytes: 400, logLineOverheadBytes: 26 },
  ...{ hoursPerMonth: 730, pollersPerQueue: 5, longPollSeconds: 20, sweepsPerMonth: 8760 },
  ...{ metrics: 7, metricsPerTask: 2 },
};
const quantityOf = (usages: ReturnType<typeof variableUsage>, what: string): number =>
  usages.filter((usage) => usage.what === what).reduce((sum, { quantity }) => sum + quantity, 0);

describe("callers", () => {
  test.each([
    ["ScoreFunctionE6EBE4F9", "score"],
    ["ScoreFunctionE6EBE4F9/poller", "score"],
    ["ReviewFunction76B0AB2C", "review"],
    ["operator", null],
    ["ReviewApi5C1B6F2A", null],
  ])("%s is %s", (caller, hop) => expect(hopOf(caller)).toBe(hop));
});

describe("one counted row", () => {
  test.each([
    ["SQS by pieces of 64 KB", call({ calls: 2, chunks: 5 }), "sqs-request", 5],
    ["a write by its units", dynamo("UpdateItem", { calls: 3, capacityUnits: 6 }), "dynamodb-write", 6],
    [
      "a failed condition too",
      dynamo("PutItem", { calls: 3, errors: 1, capacityUnits: 4 }),
      "dynamodb-write",
      5,
    ],
    [
      "writes made together, each by its units",
      dynamo("BatchExecuteStatement", { calls: 3, capacityUnits: 75 }),
      "dynamodb-write",
      75,
    ],
    ["a read by its units", dynamo("BatchGetItem", { calls: 1, capacityUnits: 50 }), "dynamodb-read", 50],
    ["a query that finds nothing", dynamo("Query", { calls: 8, capacityUnits: 0 }), "dynamodb-read", 4],
    ["an object written", call({ service: "s3", operation: "PutObject", calls: 3 }), "s3-write", 3],
    [
      "a listing, at the price of a write",
      call({ service: "s3", operation: "ListObjectsV2" }),
      "s3-write",
      1,
    ],
    ["an object read", call({ service: "s3", operation: "HeadObject", calls: 4 }), "s3-read", 4],
  ] as const)("%s", (_, row, price, quantity) => {
    expect(callUsage(row)).toMatchObject([{ price, quantity }]);
  });

  test("deletions of objects and calls of models are free here", () => {
    expect(callUsage(call({ service: "s3", operation: "DeleteObject" }))).toEqual([]);
    expect(callUsage(call({ service: "sagemaker", operation: "InvokeEndpoint" }))).toEqual([]);
  });

  test("says who called what", () => {
    expect(callUsage(dynamo("UpdateItem", {}))[0]?.what).toBe("score: UpdateItem samples");
    const polled = call({ caller: "IntakeFunction1A6D016E/poller", operation: "ReceiveMessage" });
    expect(callUsage(polled)[0]?.what).toBe("intake poller: ReceiveMessage settle");
  });
});

describe("a million samples", () => {
  test("calls grow with the samples", () => {
    const usages = variableUsage(
      counted({ calls: [dynamo("UpdateItem", { calls: 2000, capacityUnits: 3000 })] }),
      declared,
      assumed,
    );
    expect(quantityOf(usages, "score: UpdateItem samples")).toBe(3_000_000);
  });

  test("SCORE is paid for as long as the slowest of its 25 calls takes, and for its processor", () => {
    const score = { ...idle, invocations: 60, cpuMs: 3000, logLines: 10, logBytes: 1000 };
    const usages = variableUsage(counted({ hops: { score } }), declared, assumed);
    expect(quantityOf(usages, "score: invocations")).toBe(40_000);
    // 40,000 × (2.5 × 4 s + three calls of 10 ms), and 3 ms a sample at half a processor, in half a gigabyte.
    expect(quantityOf(usages, "score: time")).toBeCloseTo((40_000 * 10.03 + 6_000) / 2);
    expect(quantityOf(usages, "score: log")).toBeCloseTo(1_000 * (1000 + 260) + 40_000 * (400 + 78));
    expect(quantityOf(usages, "score poller: ReceiveMessage")).toBe(160_000);
    expect(quantityOf(usages, "score poller: DeleteMessageBatch")).toBe(120_000);
  });

  test("SETTLE is invoked for each message of SCORE's, not as seldom as here", () => {
    const ledger = { caller: "SettleFunctionBF03AEAD", resource: "x-LedgerTable9343E4AA" };
    const usages = variableUsage(
      counted({
        calls: [
          dynamo("PutItem", { ...ledger, calls: 20, capacityUnits: 80 }),
          dynamo("UpdateItem", { ...ledger, calls: 4, capacityUnits: 4 }),
          call({ caller: "SettleFunctionBF03AEAD/poller", operation: "ReceiveMessage", calls: 999 }),
        ],
        hops: { settle: { ...idle, invocations: 20 } },
      }),
      declared,
      assumed,
    );
    expect(quantityOf(usages, "settle: invocations")).toBe(80_000);
    expect(quantityOf(usages, "settle: PutItem ledger")).toBe(320_000);
    expect(quantityOf(usages, "settle: UpdateItem ledger")).toBe(4_000);
    expect(quantityOf(usages, "settle poller: ReceiveMessage")).toBe(80_000);
  });

  test("SETTLE hears of as many samples together as end within the gathering time", () => {
    const usages = variableUsage(counted({ calls: [call({ calls: 100, chunks: 100 })] }), declared, assumed);
    expect(quantityOf(usages, "score: SendMessageBatch settle")).toBe(80_000);
  });

  test("people's answers are in it, and what the bench itself looks up is not", () => {
    const usages = variableUsage(
      counted({
        reviews: 100,
        calls: [
          dynamo("Scan", { caller: "operator" }),
          call({ caller: "operator", operation: "DeleteMessage" }),
        ],
      }),
      declared,
      assumed,
    );
    expect(quantityOf(usages, "review API: claim and verdict")).toBe(200_000);
    expect(quantityOf(usages, "reviews index: opened, claimed, decided, heard")).toBe(600_000);
    expect(quantityOf(usages, "operator: DeleteMessage settle")).toBe(1_000);
    expect(usages.some(({ what }) => what.includes("Scan"))).toBe(false);
  });
});

test("a month in which nothing is submitted", () => {
  const sweep = { ...idle, invocations: 1, cpuMs: 50, logLines: 1, logBytes: 100 };
  const query = dynamo("Query", { caller: "SweepFunctionA7728703", calls: 8 });
  const usages = fixedUsage(counted({ samples: 0, calls: [query], hops: { sweep } }), declared, assumed);
  expect(quantityOf(usages, "idle pollers")).toBe(4 * 5 * 131_400);
  expect(quantityOf(usages, "sweep: Query samples")).toBe(4 * 8760);
  expect(quantityOf(usages, "sweep: time")).toBeCloseTo((8760 * (0.1 + 0.08)) / 2);
  expect(quantityOf(usages, "custom metrics")).toBe(87);
  expect(billOf(usages).cloudwatch).toBeCloseTo(87 * 0.3 + 12 * 0.1 + 3 + 8760 * 604 * 0.5e-9);
});

describe("bills", () => {
  const usages = [
    { what: "a", price: "sqs-request", quantity: 2e6 },
    { what: "b", price: "lambda-request", quantity: 5e6 },
    { what: "c", price: "lambda-gb-second", quantity: 1000 },
    { what: "d", price: "s3-read", quantity: 0 },
  ] as const;

  test("sum by service, without services that cost nothing", () => {
    const bill = billOf(usages);
    expect(Object.keys(bill)).toEqual(["total", "sqs", "lambda"]);
    expect(bill.sqs).toBeCloseTo(0.8);
    expect(bill.lambda).toBeCloseTo(1.0133334);
    expect(bill.total).toBeCloseTo(1.8133334);
  });

  test("list the largest lines first", () => {
    expect(linesOf(usages).map(({ what }) => what)).toEqual(["b", "a", "c"]);
  });

  test("prices name their service, source and month", () => {
    const all: readonly Price[] = Object.values(prices);
    for (const price of all) {
      expect(billedServices).toContain(price.service);
      expect(price.source).toMatch(/^https:\/\/aws\.amazon\.com\/.+\/$/);
      expect(price.asOf).toMatch(/^20\d\d-\d\d$/);
      expect([price.usd > 0, price.units > 0]).toEqual([true, true]);
    }
    expect(usdOf({ what: "", price: "dynamodb-write", quantity: 1e6 })).toBe(0.625);
  });
});
