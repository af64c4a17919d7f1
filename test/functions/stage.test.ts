/** The SQS stage: every record by itself, and only what failed comes again. */
import { Logger } from "@aws-lambda-powertools/logger";
import { permanent, transient } from "@touchstone/core/errors";
import { queueSchemas } from "@touchstone/core/pipeline";
import type { Context, SQSEvent } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { eachMessage, sqsStage } from "../../functions/_aws/stage.ts";

const logger = new Logger({ logLevel: "SILENT" });
const contextWith = (remaining: () => number): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: "f",
  functionVersion: "1",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:123456789012:function:f",
  memoryLimitInMB: "128",
  awsRequestId: "r",
  logGroupName: "g",
  logStreamName: "s",
  getRemainingTimeInMillis: remaining,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});
const context = contextWith(() => 60_000);
const event = (...bodies: readonly unknown[]): SQSEvent => ({
  Records: bodies.map((body, index) => ({
    messageId: `m${index + 1}`,
    receiptHandle: "h",
    body: typeof body === "string" ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "0",
      SenderId: "s",
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:123456789012:check",
    awsRegion: "us-east-1",
  })),
});
const check = (batch: string) => ({ kind: "check", schema: 1, batch, run: 1 });
const failedOf = (answer: { batchItemFailures: { itemIdentifier: string }[] }) =>
  answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

/** A stage whose handler throws what the batch's name is mapped to. */
const throwing = (
  faults: Readonly<Record<string, () => unknown>>,
  options: { concurrency?: number; neededMs?: number } = {},
) => {
  const seen: string[] = [];
  const stage = sqsStage({
    schema: queueSchemas.settle,
    logger,
    run: eachMessage(
      async (message) => {
        const name = message.kind === "check" ? message.batch : "";
        seen.push(name);
        if (faults[name]) throw faults[name]();
      },
      { concurrency: options.concurrency ?? 2, logger, neededMs: options.neededMs ?? 0 },
    ),
  });
  return { stage, seen };
};

describe("sqsStage", () => {
  test("one bad body is one failure (case 29)", async () => {
    const { stage, seen } = throwing({});
    const answer = await stage(event("hello", check("aaa"), { kind: "nonsense" }, check("bbb"), ""), context);
    expect(failedOf(answer)).toEqual(["m1", "m3", "m5"]);
    expect(seen).toEqual(["aaa", "bbb"]);
  });

  test("when every record fails, every record is reported (case 23)", async () => {
    const down = () => transient("unavailable", "down");
    const { stage } = throwing({ aaa: down, bbb: down, ccc: down });
    expect(failedOf(await stage(event(check("aaa"), check("bbb"), check("ccc")), context)).sort()).toEqual([
      "m1",
      "m2",
      "m3",
    ]);
  });

  test.each([
    ["undefined (case 23)", () => undefined, ["m2"]],
    ["null", () => null, ["m2"]],
    ["a text", () => "text", ["m2"]],
    ["an unknown error", () => new TypeError("x is not a function"), ["m2"]],
    ["a transient error", () => transient("throttled", "later"), ["m2"]],
    ["a permanent one, which is acknowledged", () => permanent("bad-file", "never"), []],
    ["one of another copy of the class", () => Object.assign(new Error("never"), { kind: "permanent" }), []],
  ])("a handler that throws %s fails that message only", async (_, fault, expected) => {
    const { stage, seen } = throwing({ bbb: fault });
    expect(failedOf(await stage(event(check("aaa"), check("bbb"), check("ccc")), context))).toEqual(expected);
    expect(seen).toHaveLength(3);
  });

  test("an event without records is nothing", async () => {
    expect(failedOf(await throwing({}).stage(event(), context))).toEqual([]);
  });
});

describe("eachMessage", () => {
  test("begins nothing that the time left is not enough for (case 27)", async () => {
    let calls = 0;
    const running = contextWith(() => {
      calls += 1;
      return calls <= 2 ? 60_000 : 9_999;
    });
    const { stage, seen } = throwing({}, { concurrency: 1, neededMs: 10_000 });
    const answer = await stage(event(check("aaa"), check("bbb"), check("ccc"), check("ddd")), running);
    expect(seen).toEqual(["aaa", "bbb"]);
    expect(failedOf(answer)).toEqual(["m3", "m4"]);
  });

  test.each([
    ["comes back at once, where it can be sent again", async () => undefined, []],
    [
      "comes back the slow way, where it cannot",
      async () => {
        throw transient("send-incomplete", "no queue");
      },
      ["m2", "m3"],
    ],
  ])("what it did not begin %s", async (_: string, send: () => Promise<undefined>, failed: string[]) => {
    const sent: string[] = [];
    let calls = 0;
    const running = contextWith(() => {
      calls += 1;
      return calls === 1 ? 60_000 : 0;
    });
    const run = eachMessage(async () => undefined, {
      concurrency: 1,
      logger,
      neededMs: 1,
      sendAgain: async (messages: readonly string[]) => {
        sent.push(...messages);
        await send();
      },
    });
    const messages = ["a", "b", "c"].map((message, index) => ({ id: `m${index + 1}`, message }));
    expect(await run(messages, running)).toEqual(failed);
    expect(sent).toEqual(["b", "c"]);
  });

  test("never runs more at once than it may", async () => {
    let running = 0;
    let most = 0;
    const run = eachMessage(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      },
      { concurrency: 3, logger },
    );
    const messages = Array.from({ length: 20 }, (_, index) => ({ id: `m${index}`, message: index }));
    expect(await run(messages, context)).toEqual([]);
    expect(most).toBe(3);
  });
});
