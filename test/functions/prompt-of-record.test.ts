/** What SCORE stores about the prompt it sent is enough to build that prompt again, whatever happened on the way. */
import { promptSha256 } from "@touchstone/core/domain/decide/fingerprint";
import { withContext } from "@touchstone/core/domain/judge/judging";
import { buildPrompt } from "@touchstone/core/domain/judge/prompt";
import { permanent } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import { gistSchema, type MediaProblem } from "@touchstone/core/schema/gist";
import type { BatchId } from "@touchstone/core/schema/identity";
import { describe, expect, test } from "vitest";
import { promptInput } from "../../functions/_batch/prompt-input.ts";
import { gistKey } from "../../functions/_batch/staged.ts";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld, resultsBucket, uploadsBucket, type World } from "./world.ts";

const open = async (judge: ChatModel, part: object = {}): Promise<World> => {
  const world = createWorld({ judge, captioner: plainCaptioner(), strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate({ decision: { auditRate: 0 }, ...part }));
  return world;
};

const storedResult = async (world: World, batch: BatchId, ordinal: number) => {
  const [stored] = await world.stores.samples.read([{ batch, run: 1, split: 0, ordinal }]);
  if (!stored?.result) throw new Error("there is no result");
  return stored.result;
};

/** The hash of the prompt that is built from the stored facts alone. */
const rebuiltHash = async (world: World, batch: BatchId, ordinal: number, line: string): Promise<string> => {
  const { blobs, templates } = world.stores;
  const result = await storedResult(world, batch, ordinal);
  if (!result.template) throw new Error("there is no template");
  const template = await templates.pinned(result.template);
  const gists = await Promise.all(
    (result.gists ?? []).map(async ({ ref, digest = "" }) => {
      const { bytes } = await blobs.read({ bucket: resultsBucket, key: gistKey(digest) }, 1_000_000);
      return { ref, gist: gistSchema.parse(JSON.parse(new TextDecoder().decode(bytes))) };
    }),
  );
  const problems = (result.mediaProblems ?? []).map((one): MediaProblem => ({ ...one, message: "" }));
  const input = await promptInput(
    {
      key: { batch, run: 1, split: 0, ordinal },
      pin: result.template,
      template,
      sample: JSON.parse(line),
      ...{ gists, problems },
    },
    { blobs, templates, resultsBucket },
  );
  const used = result.contextTokens === undefined ? template : withContext(template, result.contextTokens);
  return promptSha256(buildPrompt({ ...input, template: used }).messages);
};

describe("the prompt of record", () => {
  test("is rebuilt with the gists that DESCRIBE staged, and with what could not be shown", async () => {
    const lines = [
      '{"id":"shown","output":[{"type":"text","text":"看"},{"type":"image","ref":"a.png"}]}',
      '{"id":"gone","output":[{"type":"image","ref":"gone.png"},{"type":"text","text":"没有图"}]}',
      '{"id":"several","output":["a.png","long.png","copy.png"]}'.replace(
        /"([a-z]+\.png)"/g,
        '{"type":"image","ref":"$1"}',
      ),
    ];
    const judge = readingJudge();
    const world = await open(judge, { media: { whenUnreadable: "text-only" } });
    // The normaliser in memory takes the second byte of one as three tiles; two have the same bytes.
    const pictures = { "a.png": [0x89, 0x50], "copy.png": [0x89, 0x50], "long.png": [0x89, 0xf3] };
    for (const [name, bytes] of Object.entries(pictures)) {
      const key = `inbox/talk/b/${name}`;
      await world.stores.blobs.write({ bucket: uploadsBucket, key }, new Uint8Array(bytes), "image/png");
    }
    const batch = await upload(world, "inbox/talk/b/s.jsonl", jsonl(lines));
    await world.drain();
    expect(judge.prompts).toHaveLength(3);
    for (const [ordinal, line] of lines.entries()) {
      const { promptSha256: stored, ...result } = await storedResult(world, batch, ordinal);
      expect(await rebuiltHash(world, batch, ordinal, line), JSON.stringify(result)).toBe(stored);
    }
    expect((await storedResult(world, batch, 1)).mediaProblems).toEqual([
      { ref: "gone.png", kind: "missing" },
    ]);
    const { integration } = await storedResult(world, batch, 2);
    expect(integration).toMatchObject({ pattern: "comparison", savedTokens: { text: 0, picture: 0 } });
    const several = judge.prompts.find((prompt) => prompt.includes("long.png")) ?? "";
    expect(several.match(/data:image/g)).toHaveLength(1 + 3);
    expect(several).toContain("（与图1相同）");
  });

  test("of a model that took fewer tokens is the shortened one", async () => {
    const inner = readingJudge();
    let refused = 0;
    const judge: ChatModel = {
      model: "small",
      complete: async (request, signal) => {
        if (JSON.stringify(request.messages).length < 4_000) return inner.complete(request, signal);
        refused += 1;
        throw permanent("context-too-long", "too long", { limitTokens: 2_500 });
      },
    };
    const world = await open(judge);
    const line = JSON.stringify({ id: "long", input: "问题很长。".repeat(1_000), output: "短" });
    const batch = await upload(world, "inbox/talk/b/s.jsonl", jsonl([line]));
    await world.drain();
    const result = await storedResult(world, batch, 0);
    expect(result).toMatchObject({ decision: "machine", contextTokens: 2_000, usage: { judgeCalls: 1 } });
    expect(refused).toBe(1);
    expect(await rebuiltHash(world, batch, 0, line)).toBe(result.promptSha256);
  });

  test("a model that takes neither leaves the sample to a person, not to another try", async () => {
    const calls: number[] = [];
    const judge: ChatModel = {
      model: "tiny",
      complete: async ({ messages }) => {
        calls.push(JSON.stringify(messages).length);
        throw permanent("context-too-long", "too long");
      },
    };
    const world = await open(judge);
    const batch = await upload(world, "inbox/talk/b/s.jsonl", jsonl(['{"id":"a","output":"回答"}']));
    await world.drain();
    expect(await storedResult(world, batch, 0)).toMatchObject({
      decision: "review",
      reasons: expect.arrayContaining([expect.objectContaining({ code: "context-cut" })]),
      usage: { judgeCalls: 0 },
    });
    expect(calls).toHaveLength(2);
    expect(calls[1]).toBeLessThanOrEqual(calls[0] ?? 0);
  });
});

test("a vote is counted in the usage, and its source is named", async () => {
  const judge = readingJudge();
  const vote = { samples: 3, from: 0.5, below: 0.9 };
  const world = await open(judge, {
    judge: { vote },
    decision: { auditRate: 0, provisionalThreshold: 0.75 },
  });
  const lines = ['{"id":"sure","output":"回答"}', '{"id":"unsure","output":"unsure-mark"}'];
  const batch = await upload(world, "inbox/talk/b/s.jsonl", jsonl(lines));
  await world.drain();
  expect(judge.prompts).toHaveLength(1 + 3);
  expect(await storedResult(world, batch, 0)).toMatchObject({ usage: { judgeCalls: 1 } });
  expect(await storedResult(world, batch, 1)).toMatchObject({
    decision: "machine",
    fields: [{ value: "A", confidence: { source: "vote", raw: 4 / 5 } }],
    usage: { judgeCalls: 3, promptTokens: 300, completionTokens: 30 },
  });
});
