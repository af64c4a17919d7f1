/** Writes of many callers in one call: the statements, and the sample store that sends them. */
import { BatchExecuteStatementCommand } from "@aws-sdk/client-dynamodb";
import type { SampleKey } from "@touchstone/core/schema/identity";
import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { plainDynamoClient } from "../../functions/_aws/clients.ts";
import { dynamoSampleStore } from "../../functions/_aws/dynamo-sample-store.ts";
import { writeTogether } from "../../functions/_aws/dynamo-together.ts";
import type { ServiceCall, Tap } from "../../infra/local/tap.ts";
import { itemWrites } from "../item-writes.ts";
import { type LocalDynamo, startDynamo } from "./local-dynamo.ts";
import { result, sampleKey } from "./records.ts";
import { agreesWithMemory, steps } from "./sample-lease-property.ts";
import { statementsContract } from "./statements-contract.ts";

const now = 1_700_000_000_000;
const leaseSeconds = 150;
const calls: ServiceCall[] = [];
/** Actions of the writes that took effect. */
const made: string[] = [];
let refuse = false;
let loseAnswers = 0;
let dynamo: LocalDynamo;

beforeAll(async () => {
  const tap: Tap = {
    before(call) {
      calls.push(call);
      if (refuse && call.operation === "BatchExecuteStatement") throw new Error("no right to PartiQL");
    },
    after(call) {
      made.push(...itemWrites(call).map(({ action }) => action));
      const { operation } = call;
      if (operation !== "BatchExecuteStatement" || loseAnswers === 0) return;
      loseAnswers -= 1;
      throw new Error("the answer is lost");
    },
  };
  dynamo = await startDynamo(tap, () => {});
});
afterAll(() => dynamo.close());
beforeEach(() => {
  calls.length = 0;
  made.length = 0;
});

const complaints: unknown[] = [];
const store = () => {
  const plain = plainDynamoClient();
  const together = writeTogether(plain, (error) => complaints.push(error));
  return dynamoSampleStore({ ...dynamo.samples, plain, together });
};
const operations = (): string[] => calls.map(({ operation }) => operation);
const freshKeys = (count: number): SampleKey[] => Array.from({ length: count }, () => sampleKey());

statementsContract("embedded DynamoDB", () => ({ client: plainDynamoClient(), name: dynamo.samples.name }));

describe("statements that are not simulated are refused by name", () => {
  test.each([
    ["a SELECT", `SELECT * FROM "samples"`, []],
    ["a value in the text", `INSERT INTO "samples" VALUE {'pk': 'a'}`, []],
    ["too few values", `INSERT INTO "samples" VALUE {'pk': ?, 'b': ?}`, [{ S: "a" }]],
    [
      "another condition",
      `UPDATE "samples" SET "a" = ? WHERE "pk" = ? AND "a" < ?`,
      [{ S: "1" }, { S: "2" }, { S: "3" }],
    ],
    ["no key", `UPDATE "samples" SET "a" = ? WHERE "b" IS MISSING`, [{ S: "1" }]],
  ])("%s", async (_what, Statement, Parameters) => {
    const command = new BatchExecuteStatementCommand({ Statements: [{ Statement, Parameters }] });
    await expect(plainDynamoClient().send(command)).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringContaining("is not simulated"),
    });
  });

  test("two of one item", async () => {
    const one = { Statement: `INSERT INTO "samples" VALUE {'pk': ?}`, Parameters: [{ S: "twice" }] };
    const command = new BatchExecuteStatementCommand({ Statements: [one, one] });
    await expect(plainDynamoClient().send(command)).rejects.toThrow(/not simulated/);
  });
});

test("60 samples are leased in three calls and recorded in three", async () => {
  const keys = freshKeys(60);
  const samples = store();
  const leases = await Promise.all(keys.map((key) => samples.lease(key, "a", now, leaseSeconds)));
  expect(leases).toEqual(keys.map(() => ({ kind: "leased", attempts: 0 })));
  const results = keys.map((_, index) => result({ line: index + 1 }));
  expect(
    await Promise.all(keys.map((key, index) => samples.record(key, results[index] ?? result()))),
  ).toEqual(results);
  expect(operations()).toEqual(Array.from({ length: 6 }, () => "BatchExecuteStatement"));
  expect((await samples.read(keys)).map((stored) => stored?.result)).toEqual(results);
});

test("a lone caller pays for one write", async () => {
  const [key = sampleKey()] = freshKeys(1);
  const samples = store();
  await samples.lease(key, "a", now, leaseSeconds);
  await samples.record(key, result());
  expect(operations()).toEqual(["UpdateItem", "UpdateItem"]);
});

test("each sample of a call has its own answer", async () => {
  const [
    fresh = sampleKey(),
    leased = sampleKey(),
    lapsed = sampleKey(),
    tried = sampleKey(),
    done = sampleKey(),
  ] = freshKeys(5);
  const samples = store();
  await samples.lease(leased, "other", now, leaseSeconds);
  await samples.lease(lapsed, "other", now - leaseSeconds * 1000, leaseSeconds);
  await samples.lease(tried, "other", now, leaseSeconds);
  await samples.release(tried, "other", true);
  await samples.record(done, result({ line: 7 }));
  made.length = 0;
  const all = [leased, lapsed, tried, done, fresh];
  const answers = await Promise.all(
    all.map((key, index) => samples.lease(key, `t${index}`, now, leaseSeconds)),
  );
  expect(answers).toEqual([
    { kind: "busy" },
    { kind: "leased", attempts: 0 },
    { kind: "leased", attempts: 1 },
    { kind: "recorded", result: result({ line: 7 }) },
    { kind: "leased", attempts: 0 },
  ]);
  // A tap hears after a call only of what was made.
  expect(made.filter((action) => action === "PartiQLInsert")).toHaveLength(1);
});

test("of ten who ask for one sample at the same time, one is served", async () => {
  const key = sampleKey();
  const samples = store();
  const asked = Array.from({ length: 10 }, (_, index) => samples.lease(key, `t${index}`, now, leaseSeconds));
  const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([...Array.from({ length: 9 }, () => "busy"), "leased"]);
});

test("a sample that nobody leased is recorded, and the first result of two stands", async () => {
  const keys = freshKeys(3);
  const samples = store();
  await Promise.all(keys.map((key) => samples.record(key, result({ line: 1 }))));
  const again = await Promise.all(keys.map((key) => samples.record(key, result({ line: 2 }))));
  expect(again.map(({ line }) => line)).toEqual([1, 1, 1]);
});

test("a call whose answer is lost is recognised as one's own", async () => {
  const keys = freshKeys(4);
  const samples = store();
  loseAnswers = 1;
  const leases = await Promise.all(
    keys.map((key, index) => samples.lease(key, `t${index}`, now, leaseSeconds)),
  );
  expect(leases).toEqual(keys.map(() => ({ kind: "leased", attempts: 0 })));
  loseAnswers = 1;
  await Promise.all(keys.map((key) => samples.record(key, result())));
  expect((await samples.read(keys)).map((stored) => stored?.result)).toEqual(keys.map(() => result()));
});

test("where the call as a whole fails, every write is made alone, and somebody hears why", async () => {
  const keys = freshKeys(3);
  const samples = store();
  refuse = true;
  const leases = await Promise.all(keys.map((key) => samples.lease(key, "a", now, leaseSeconds)));
  refuse = false;
  expect(leases).toEqual(keys.map(() => ({ kind: "leased", attempts: 0 })));
  expect(complaints.map(String)).toEqual([expect.stringContaining("no right to PartiQL")]);
});

test("side by side, any orders of leases, releases and records keep one payer and the first paid answer", async () => {
  const samples = store();
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 6 }), async (plans) => {
      await Promise.all(plans.map((plan) => agreesWithMemory(samples, plan)));
    }),
    { numRuns: 30 },
  );
  expect(operations()).toContain("BatchExecuteStatement");
});
