/** Each hop's output is the next hop's input: checked by the compiler, and once with real messages. */
import { outcomeMessage, unjudgedResult } from "@touchstone/core/domain/decide/scored-result";
import { creationEvent } from "@touchstone/core/domain/intake/creation-event";
import {
  bareResult,
  type EntryMessage,
  entryMessage,
  outcomeOf,
} from "@touchstone/core/domain/intake/entry-message";
import { packOutcomes } from "@touchstone/core/domain/ledger/pack-outcomes";
import { hintOf, verdictMessageOf } from "@touchstone/core/domain/review/answer-review";
import { trafficMessages } from "@touchstone/core/domain/trust/traffic";
import { hops, type QueueName, queueNames, queueSchemas } from "@touchstone/core/pipeline";
import type { MessageSender } from "@touchstone/core/ports";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { DescribePorts } from "../../functions/describe/describe.ts";
import type { IntakePorts } from "../../functions/intake/intake.ts";
import type { LearnPorts } from "../../functions/learn/learn.ts";
import type { ReviewPorts } from "../../functions/review/review.ts";
import type { ScorePorts } from "../../functions/score/score.ts";
import type { SettlePorts } from "../../functions/settle/settle.ts";
import type { SweepPorts } from "../../functions/sweep/sweep.ts";
import { batchRecord, result, reviewTask, sampleKey, taskId, verdict } from "../contract/records.ts";

/** What may be sent to a queue, and what is read from it. */
type Sent<Queue extends QueueName> = z.input<(typeof queueSchemas)[Queue]>;
type Read<Queue extends QueueName> = z.output<(typeof queueSchemas)[Queue]>;
type MessageOf<Sender> = Sender extends MessageSender<infer Message> ? Message : never;

describe("types", () => {
  test("what a hop sends, the queue's schema takes", () => {
    expectTypeOf<MessageOf<IntakePorts["describe"]>>().toExtend<Sent<"describe">>();
    expectTypeOf<MessageOf<IntakePorts["score"]>>().toExtend<Sent<"score">>();
    expectTypeOf<MessageOf<IntakePorts["settle"]>>().toExtend<Sent<"settle">>();
    expectTypeOf<MessageOf<DescribePorts["describe"]>>().toExtend<Sent<"describe">>();
    expectTypeOf<MessageOf<DescribePorts["score"]>>().toExtend<Sent<"score">>();
    expectTypeOf<MessageOf<ScorePorts["score"]>>().toExtend<Sent<"score">>();
    expectTypeOf<MessageOf<ScorePorts["settle"]>>().toExtend<Sent<"settle">>();
    expectTypeOf<MessageOf<SettlePorts["hints"]>>().toExtend<Sent<"review">>();
    expectTypeOf<MessageOf<SettlePorts["learn"]>>().toExtend<Sent<"learn">>();
    expectTypeOf<MessageOf<LearnPorts["hints"]>>().toExtend<Sent<"review">>();
    expectTypeOf<MessageOf<ReviewPorts["settle"]>>().toExtend<Sent<"settle">>();
    expectTypeOf<MessageOf<SweepPorts["uploads"]>>().toExtend<Sent<"uploads">>();
    expectTypeOf<MessageOf<SweepPorts["hints"]>>().toExtend<Sent<"review">>();
  });

  test("a queue gives out what was put in: no schema changes a message on the way", () => {
    expectTypeOf<Read<"describe">>().toEqualTypeOf<MessageOf<IntakePorts["describe"]>>();
    expectTypeOf<Read<"score">>().toEqualTypeOf<MessageOf<DescribePorts["score"]>>();
    expectTypeOf<Exclude<Read<"settle">, { kind: "outcomes" }>>().toEqualTypeOf<
      MessageOf<ScorePorts["settle"]>
    >();
    expectTypeOf<Read<"review">>().toEqualTypeOf<MessageOf<SettlePorts["hints"]>>();
    expectTypeOf<Extract<EntryMessage, { hop: "describe" }>["message"]>().toEqualTypeOf<Read<"describe">>();
    expectTypeOf<Extract<EntryMessage, { hop: "score" }>["message"]>().toEqualTypeOf<Read<"score">>();
  });
});

describe("messages", () => {
  const batch = batchRecord();
  const key = sampleKey(1, batch.batch);
  const row = { kind: "sample" as const, line: 3, bytes: 9, sample: { id: "s-1", output: "x" } };
  const pin = { task: taskId(), version: 1, versionId: "v" };
  const context = { batch, templates: { known: new Map(), broken: new Map() }, now: 5 };
  const request = {
    schema: 1 as const,
    key,
    sampleId: "s-1",
    line: 3,
    source: batch.source,
    payload: { sample: row.sample },
    template: pin,
    callType: "score" as const,
    arrivedAt: 4,
    gists: [],
    problems: [],
  };
  const failed = unjudgedResult(request, null, "failed", [{ code: "gave-up" }], 4, 5);
  const lost = bareResult("s-1", "t", 3, "failed", { code: "lost" }, batch, 5);
  const watched = result({ certificate: { id: "f#sample#1", covers: true }, certified: true });
  const sent: readonly (readonly [QueueName, unknown])[] = [
    ["uploads", creationEvent(batch)],
    ["score", request],
    ["describe", { ...request, gists: undefined, problems: undefined, attempts: 0 }],
    ["settle", entryMessage(row, key, { sample: row.sample }, context).message],
    ["settle", outcomeMessage(request, failed, null)],
    ["settle", outcomeOf(key, lost, null)],
    ["settle", packOutcomes([outcomeOf(key, lost, null), outcomeMessage(request, failed, null)])[0]],
    ["settle", { kind: "check", schema: 1, batch: batch.batch, run: 1 }],
    ["settle", verdictMessageOf(reviewTask(), verdict())],
    ["review", hintOf(reviewTask())],
    ["learn", verdictMessageOf(reviewTask(), verdict())],
    ...trafficMessages({ ...key }, [watched]).map((message): readonly [QueueName, unknown] => [
      "learn",
      message,
    ]),
  ];

  test.each(sent)("to %s: read back as it was sent", (queue, message) => {
    const body: unknown = JSON.parse(JSON.stringify(message));
    expect(queueSchemas[queue].parse(body)).toEqual(body);
  });

  test("every queue is covered, and the hop table names real queues", () => {
    expect(new Set(sent.map(([queue]) => queue))).toEqual(new Set(queueNames));
    const reading = Object.values(hops).flatMap((hop) => hop.reads ?? []);
    expect(new Set(reading).size).toBe(reading.length);
    expect(new Set(Object.values(hops).flatMap((hop) => hop.sends))).toEqual(new Set(queueNames));
  });
});
