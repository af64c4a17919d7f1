/** `redrive` over a real queue: nothing is lost on the way, nothing of a sample is shown, what cannot go back stays. */
import { ReceiveMessageCommand, SendMessageCommand, SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { batchId, fresh, sampleKey, taskId } from "../contract/records.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world?.close());

const batch = batchId("dead");
const request = (ordinal: number, output: string): ScoreRequest => ({
  ...{ schema: 1, key: sampleKey(ordinal, batch), sampleId: `d-${ordinal}`, line: ordinal + 1 },
  source: { bucket: "contract", key: "inbox/x/s.jsonl" },
  payload: { sample: { id: `d-${ordinal}`, output } },
  template: { task: taskId(), version: 1, versionId: "v" },
  ...{ callType: "score", arrivedAt: 1, gists: [], problems: [] },
});
const url = (name: string): string => world.queues[name] ?? "";
const put = (body: string, attributes: Record<string, string> = {}) =>
  world.sqs.client.send(
    new SendMessageCommand({
      QueueUrl: url("ScoreDlqUrl"),
      MessageBody: body,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: "String", StringValue }]),
      ),
    }),
  );
const takeAll = async (name: string) => {
  const found = [];
  for (;;) {
    const { Messages = [] } = await world.sqs.client.send(
      new ReceiveMessageCommand({
        ...{ QueueUrl: url(name), MaxNumberOfMessages: 10, VisibilityTimeout: 600 },
        MessageAttributeNames: ["All"],
      }),
    );
    if (Messages.length === 0) return found;
    found.push(...Messages);
  }
};

beforeEach(async () => {
  for (const name of ["Score", "Settle"]) {
    world.queues[`${name}QueueUrl`] = world.sqs.createQueue().url;
    world.queues[`${name}DlqUrl`] = world.sqs.createQueue().url;
  }
  await world.useQueues();
});

describe("redrive", () => {
  test("shows what lies there without a word of a sample, and lets go of it", async () => {
    await put(JSON.stringify(request(3, "秘密")));
    await put("not ours 秘密");
    for (let look = 1; look <= 2; look += 1) {
      const { json, out, err } = await world.cli("redrive", "score", "--dry-run", "--json");
      expect(json).toMatchObject({
        ...{ queue: "score", dead: 2 },
        messages: expect.arrayContaining([
          expect.objectContaining({
            ...{ receives: look, sentAt: expect.any(Number), firstReceivedAt: expect.any(Number) },
            about: `d-3  ${batch}#1#0#3`,
          }),
          expect.objectContaining({ about: null }),
        ]),
      });
      expect(out + err).not.toContain("秘密");
    }
    expect((await world.cli("redrive", "score", "--dry-run", "--lang", "zh")).out).toMatch(/排除原因后/);
  });

  test("moves everything, whatever its size, with its attributes, and characters that SQS refuses", async () => {
    const bodies = Array.from({ length: 23 }, (_, at) =>
      JSON.stringify(request(at, "字".repeat(at < 4 ? 150_000 : 5))),
    );
    for (const body of bodies) await put(body, { trace: `t-${bodies.indexOf(body)}` });
    await put(JSON.stringify(request(99, "SIGN")).replace("SIGN", "\\ufffe\\ud83d\\ude00"));
    await put("not JSON at all");
    const { code, json, err } = await world.cli("redrive", "score", "--json");
    expect([code, json]).toEqual([0, { queue: "score", moved: 25, refused: [], twice: 0, left: 0 }]);
    expect(err).toContain("moved 25 of 25");
    const arrived = await takeAll("ScoreQueueUrl");
    const texts = arrived.map(({ Body }) => Body ?? "");
    expect(texts.filter((text) => bodies.includes(text))).toHaveLength(23);
    expect(texts).toContain("not JSON at all");
    expect(texts.some((text) => text.includes('"\\ufffe\\ud83d\\ude00"'))).toBe(true);
    const traced = arrived.find(({ Body }) => Body === bodies[7]);
    expect(traced?.MessageAttributes?.trace).toMatchObject({ DataType: "String", StringValue: "t-7" });
    expect(await takeAll("ScoreDlqUrl")).toEqual([]);
  });

  test("moves as many as it is told, and says what is left", async () => {
    for (let at = 0; at < 5; at += 1) await put(JSON.stringify(request(at, "x")));
    expect((await world.cli("redrive", "score", "--max", "2", "--json")).json).toMatchObject({
      moved: 2,
      left: 3,
    });
    expect(await takeAll("ScoreQueueUrl")).toHaveLength(2);
  });

  test("what the queue does not take stays in the dead-letter queue, and is named", async () => {
    await put(JSON.stringify(request(1, "small")));
    await put(JSON.stringify(request(2, "字".repeat(10_000))));
    await world.sqs.client.send(
      new SetQueueAttributesCommand({
        QueueUrl: url("ScoreQueueUrl"),
        Attributes: { MaximumMessageSize: "2048" },
      }),
    );
    const { json } = await world.cli("redrive", "score", "--json");
    expect(json).toMatchObject({ moved: 1, left: 1, refused: [{ code: expect.any(String) }] });
    expect(await takeAll("ScoreQueueUrl")).toHaveLength(1);
  });

  test("an empty one is said to be empty; another name is refused", async () => {
    expect((await world.cli("redrive", "settle")).out).toBe("The dead-letter queue of settle is empty.");
    const wrong = await world.cli("redrive", fresh("queue"));
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringMatching(/there is no queue .*; use uploads, describe/),
    ]);
    expect((await world.cli("redrive", "score", "--max", "many")).code).toBe(2);
  });
});
