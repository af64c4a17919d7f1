/** DESCRIBE's view of one picture: long ones in tiles, faults in the task's language, captions held against what was read. */
import { transient } from "@touchstone/core/errors";
import type { ChatModel, StrategyModel } from "@touchstone/core/ports";
import { type ChatRequest, chatCompletionSchema } from "@touchstone/core/schema/chat";
import type { Strategy } from "@touchstone/core/schema/gist";
import { timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import type { EndpointGate } from "../../functions/_pressure/endpoint-gate.ts";
import { describePicture, type PicturePorts } from "../../functions/_seeing/describe-picture.ts";
import { markedNormaliser } from "../memory/marked-normaliser.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { memoryGistStore } from "../memory/memory-gist-store.ts";

type Asked = Omit<ChatRequest, "model">;

const answering = (text: string, asked: Asked[] = []): ChatModel => ({
  model: "captioner-1",
  complete: async (request) => {
    asked.push(request);
    const choices = [{ finish_reason: "stop", message: { content: text } }];
    return chatCompletionSchema.parse({ choices, usage: { prompt_tokens: 1, completion_tokens: 9 } });
  },
});
const choosing = (...turns: readonly Strategy[]): StrategyModel & { calls: number } => ({
  calls: 0,
  version: "s",
  async choose() {
    const strategy = turns[this.calls % turns.length] ?? "mixed";
    this.calls += 1;
    return { strategy, probabilities: { text: 0.4, picture: 0.3, mixed: 0.3 }, unsure: false, model: "s" };
  },
});
const open = (endpoint: EndpointGate["endpoint"]): EndpointGate => ({
  endpoint,
  look: async () => null,
  admit: async () => ({ kind: "admitted", pass: { call: (make) => make(), leave: async () => undefined } }),
});

const now = Date.parse("2026-11-29T14:00:00Z");
const world = async (bytes: readonly number[], part: Partial<PicturePorts> = {}) => {
  const blobs = memoryBlobStore(() => now);
  await blobs.write({ bucket: "uploads", key: "inbox/t/b/p.png" }, new Uint8Array(bytes), "image/png");
  const ports: PicturePorts = {
    blobs,
    gists: memoryGistStore(),
    normaliser: markedNormaliser(),
    strategy: choosing("text"),
    captioner: answering("> 一行文字"),
    gates: { strategy: open("strategy"), captioner: open("captioner") },
    mediaBuckets: new Set(),
    fetchMedia: async () => new Uint8Array(),
    clock: () => now,
    token: () => "token",
    timing: timing(),
    resultsBucket: "results",
    ...part,
  };
  const see = () =>
    describePicture(
      {
        ref: "p.png",
        batchFile: { bucket: "uploads", key: "inbox/t/b/s.jsonl" },
        language: "zh",
        deadline: now + 118_000,
      },
      ports,
    );
  return { see, blobs, ports };
};
const png = [0x89, 1];
const longPng = [0x89, 0xf3];

describe("a very long picture", () => {
  test("is staged in its tiles, and described as one picture in one call with room for more words", async () => {
    const asked: Asked[] = [];
    const strategy = choosing("text");
    const { see, blobs } = await world(longPng, { strategy, captioner: answering("> 长图", asked) });
    const outcome = await see();
    if (outcome.kind !== "gist") throw new Error(outcome.kind);
    expect(outcome.placed.gist).toMatchObject({ strategy: "text", pieces: 3, notes: ["tiled"] });
    const staged = await Array.fromAsync(blobs.list("results", "staging/pictures/"));
    expect(staged.map(({ key }) => key.replace(/^.*-/, ""))).toEqual(["n4", "n4.1", "n4.2"]);
    expect(strategy.calls).toBe(3);
    expect(asked).toHaveLength(1);
    const [, user] = asked[0]?.messages ?? [];
    expect(JSON.stringify(user).match(/image_url":\{/g)).toHaveLength(3);
    expect(JSON.stringify(user)).toContain("Tiles: 3, overlap 0.25");
    expect(asked[0]?.max_tokens).toBe(2_900);
  });

  test("of which tiles look different is described in the mixed style", async () => {
    const { see } = await world(longPng, { strategy: choosing("text", "picture", "text") });
    expect(await see()).toMatchObject({ placed: { gist: { strategy: "mixed" } } });
  });
});

test.each([
  [[], "empty-file", "the file is empty"],
  [[...Buffer.from("<html>")], "web-page", "the file is a web page"],
  [[...Buffer.from("<svg/>")], "format-not-read", "the file is really"],
] as const)("a file that is no picture is a problem with a name: %j", async (bytes, name, words) => {
  const { see } = await world(bytes);
  expect(await see()).toMatchObject({
    kind: "problem",
    problem: { ref: "p.png", message: expect.stringContaining(words), fault: { name } },
  });
});

describe("a second look by a reader of text", () => {
  const invented = "> 盛大开业全场一折起仅限今日抢购";
  test("flags a caption that says other words than stand there, and not one that agrees", async () => {
    const reader = answering("按阅读顺序共 2 行文字：\n> 净衣坊换季洗护\n> 上门取送三天洗好");
    const wrong = await world(png, { captioner: answering(invented), textReader: reader });
    expect(await wrong.see()).toMatchObject({ placed: { gist: { flags: ["contradicts"] } } });
    const right = await world(png, {
      captioner: answering("> 净衣坊 换季洗护\n> 上门取送 三天洗好"),
      textReader: reader,
    });
    expect(await right.see()).toMatchObject({ placed: { gist: { flags: [] } } });
  });

  test("reads in the text style, whatever style the picture is described in", async () => {
    const asked: Asked[] = [];
    const { see } = await world(png, { strategy: choosing("picture"), textReader: answering("> 字", asked) });
    await see();
    expect(JSON.stringify(asked[0]?.messages)).toContain("Style: text");
  });

  test("does not happen where none is given, and then nothing is claimed", async () => {
    const { see } = await world(png, { captioner: answering(invented) });
    expect(await see()).toMatchObject({ placed: { gist: { flags: [] } } });
  });

  test("that fails leaves no gist behind that was never checked", async () => {
    const broken: ChatModel = {
      model: "reader",
      complete: () => Promise.reject(transient("unavailable", "down")),
    };
    const { see, ports } = await world(png, { textReader: broken });
    await expect(see()).rejects.toThrow("down");
    const staged = await Array.fromAsync(ports.blobs.list("results", "staging/gists/"));
    expect(staged).toEqual([]);
  });
});
