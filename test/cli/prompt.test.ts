/** `results --prompt`: what SCORE asked, built again from what is stored, over real services. */

import { gistDigest } from "@touchstone/core/domain/describe/gist-digest";
import { newFamilyTrust } from "@touchstone/core/domain/trust/family-trust";
import type { Gist } from "@touchstone/core/schema/gist";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import type { Sample } from "@touchstone/core/schema/sample";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3TemplateStore } from "../../functions/_aws/s3-template-store.ts";
import { gistKey, pictureKey } from "../../functions/_batch/staged.ts";
import { judgeSample } from "../../functions/score/judge-sample.ts";
import { gist } from "../contract/records.ts";
import { type ChatTurnScript, scriptedChatModel } from "../memory/scripted-chat-model.ts";
import { startWorld, type World } from "./world.ts";

const template = `
task: talk
version: 1
family: dialogue
title: { zh: 对话, en: Talk }
standard: 回答切题为 Y，否则为 N。
fields:
  - id: ok
    kind: label
    title: 切题
    labels:
      - { code: "Y", name: 切题 }
      - { code: "N", name: 跑题 }
  - id: same
    kind: label
    title: 一致
    labels:
      - { code: "Y", name: 一致 }
      - { code: "N", name: 不一致 }
scorers:
  - { field: same, kind: exact-text, right: "Y", wrong: "N" }
media: { whenUnreadable: text-only }
memory: { examples: 2 }
judge: { contextTokens: 4096 }
`;
const samples: readonly Sample[] = [
  { id: "plain", input: "几点关门？", output: "晚上十点。", reference: "十点" },
  {
    id: "shown",
    output: [
      { type: "text", text: "看这张：" },
      { type: "image", ref: "a.png" },
    ],
    reference: "海报",
  },
  { id: "long", output: "很长的回答。".repeat(400), reference: "短" },
  { id: "blank", output: [{ type: "image", ref: "gone.png" }], reference: "x" },
];
const example = { id: "e-1", output: "随便说说", labels: { ok: "N", same: "N" } };

const answer: ChatTurnScript = {
  kind: "answer",
  completion: {
    model: "m",
    choices: [
      { finish_reason: "stop", message: { content: '{"explanation":"","evidence":[],"fields":{"ok":"Y"}}' } },
    ],
  },
};
const shown: Gist = { ...gist(), text: "海报上写着：全场八折。" };

let world: World;
let record: BatchRecord;
beforeAll(async () => {
  world = await startWorld();
  const dir = await world.folder("talk", {
    "template.yaml": template,
    "examples.jsonl": `${JSON.stringify(example)}\n`,
    "s.jsonl": samples.map((sample) => `\n${JSON.stringify(sample)}\n`).join(""),
  });
  await world.cli("submit", dir, "--batch", "b");
  record = await world.takeIn("inbox/talk/b/s.jsonl");
  const at = (key: string) => ({ bucket: "plain", key });
  await world.blobs.write(at(pictureKey(shown)), new Uint8Array([1, 2, 3]), "image/png");
  await world.blobs.write(at(gistKey(gistDigest(shown))), JSON.stringify(shown), "application/json");
  await decide(0, {}, [answer]);
  await decide(1, { gists: [{ ref: "a.png", gist: shown }] }, [answer]);
  await decide(2, {}, [{ kind: "too-long", limitTokens: 2_600 }, answer]);
  await decide(3, { problems: [{ ref: "gone.png", kind: "missing", message: "no such object" }] }, [answer]);
});
afterAll(async () => await world?.close());

/** Has SCORE judge the sample on that line, and SETTLE hear of it. */
const decide = async (ordinal: number, part: Partial<ScoreRequest>, script: readonly ChatTurnScript[]) => {
  const pin = await world.pin("talk");
  const sample = samples[ordinal];
  if (!pin || !sample) throw new Error("the world is not ready");
  const request: ScoreRequest = {
    schema: 1,
    key: { batch: record.batch, run: 1, split: 0, ordinal },
    sampleId: sample.id,
    line: 2 * ordinal + 2,
    source: record.source,
    payload: { sample },
    template: pin,
    callType: "score",
    arrivedAt: 0,
    ...{ gists: [], problems: [] },
    ...part,
  };
  const result = await judgeSample(
    {
      request,
      startedAt: 0,
      deadline: Date.now() + 60_000,
      pass: { call: (make) => make(), leave: async () => undefined },
    },
    {
      blobs: world.blobs,
      templates: s3TemplateStore(world.blobs, "contract", Date.now),
      judge: scriptedChatModel(script),
      purse: { take: async () => true, giveBack: async () => undefined },
      judgeProbe: async () => null,
      trust: async (family) => newFamilyTrust(family),
      clock: Date.now,
      judgeTimeoutMs: 10_000,
      resultsBucket: "plain",
    },
  );
  if (!result) throw new Error("there was no result");
  await world.decide(record, ordinal, result, null);
};

const rebuilt = (id: string) => world.cli("results", "--sample", id, "--prompt", "--json");

describe("results --prompt", () => {
  test("builds the very prompt, examples included, and shows it", async () => {
    const { code, json, err } = await rebuilt("plain");
    expect([code, json]).toMatchObject([0, { sampleId: "plain", equal: true, cuts: [] }]);
    expect(err).toContain("── system");
    expect(err).toContain("随便说说");
    expect(err).toMatch(/SHA-256 [0-9a-f]{64}, equal to the stored one/);
    expect(err).not.toContain('"same"');
  });

  test("with the picture and the gist that the judge had, whatever the cache says now", async () => {
    await world.putGist({ ...shown, text: "another description" });
    const { json, err } = await rebuilt("shown");
    expect(json).toMatchObject({ equal: true });
    expect(err).toContain("全场八折");
    expect(err).toContain("[image/png, 3 B]");
  });

  test("with what was cut for a model that takes fewer tokens", async () => {
    const { json } = await rebuilt("long");
    expect(json).toMatchObject({
      equal: true,
      cuts: expect.arrayContaining([expect.objectContaining({ section: "output" })]),
    });
    const stored = await world.cli("results", "--sample", "long", "--json");
    expect(stored.json).toMatchObject({
      sample: {
        contextTokens: 2080,
        decision: "review",
        reasons: expect.arrayContaining([expect.objectContaining({ code: "context-cut" })]),
      },
    });
  });

  test("with the pictures that could not be had", async () => {
    const { json, err } = await rebuilt("blank");
    expect(json).toMatchObject({ equal: true });
    expect(err).toContain("没有可用的图片：没有上传");
  });

  test("says where it is another one", async () => {
    const read = await world.samples.read([{ batch: record.batch, run: 1, split: 0, ordinal: 0 }]);
    const result: Result | null | undefined = read[0]?.result;
    if (!result) throw new Error("nothing is stored");
    await forge({ ...result, sampleId: "forged", line: 1, promptSha256: "0".repeat(64) });
    const { code, json, err } = await rebuilt("forged");
    expect([code, json]).toMatchObject([1, { equal: false, stored: "0".repeat(64) }]);
    expect(err).toContain("stored 0000");
  });

  test("says what is gone", async () => {
    const read = await world.samples.read([{ batch: record.batch, run: 1, split: 0, ordinal: 1 }]);
    const result = read[0]?.result;
    if (!result) throw new Error("nothing is stored");
    const gists = (result.gists ?? []).map((one) => ({ ...one, digest: "feedfeedfeedfeed" }));
    await forge({ ...result, sampleId: "lost-gist", line: 1, gists });
    expect((await rebuilt("lost-gist")).err).toMatch(/cannot be rebuilt: the gist of a\.png is no longer/);
    await forge({ ...result, sampleId: "lost-line", line: 99 });
    expect((await rebuilt("lost-line")).err).toMatch(/line 99 of the batch file is no longer stored/);
  });

  test("needs a sample", async () => {
    expect(await world.cli("results", "--batch", "b", "--prompt")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/give --sample ID/),
    });
  });
});

/** Another result in a batch of its own, so that the sample is found by its id. */
const forge = async (result: Result): Promise<void> => {
  const dir = await world.folder("talk", {
    "template.yaml": template,
    "s.jsonl": `${JSON.stringify(samples[0])}\n`,
  });
  await world.cli("submit", dir, "--batch", result.sampleId);
  const taken = await world.takeIn(`inbox/talk/${result.sampleId}/s.jsonl`);
  await world.decide(taken, 0, result);
};
