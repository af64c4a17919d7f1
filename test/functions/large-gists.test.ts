/** Many long gists: a review task holds sample and gists in one item of 400 KB, a message in one megabyte. */
import type { ChatModel } from "@touchstone/core/ports";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";
import { expect, test } from "vitest";
import { maxRecordBytes } from "../../functions/_aws/stored.ts";
import { inlineGistBytes } from "../../functions/_batch/payload.ts";
import { claimReview, giveVerdict } from "../../functions/review/review.ts";
import { jsonl, mixedStrategy, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld, uploadsBucket } from "./world.ts";

const pictures = 12;

/** Of about `bytes`, and never the same line twice, which would be a loop. */
const longCaptioner = (bytes: number): ChatModel => ({
  model: "captioner-1",
  async complete() {
    const lines = Array.from({ length: bytes / 30 }, (_, line) => `> 第${line}条：价目第${line * 7}项`);
    const message = { content: ["一张很长的价目表。", ...lines].join("\n") };
    return chatCompletionSchema.parse({
      choices: [{ finish_reason: "stop", message }],
      usage: { prompt_tokens: 1, completion_tokens: 9 },
    });
  },
});

const start = async (bytesEach: number) => {
  const judge = readingJudge();
  const world = createWorld({ judge, captioner: longCaptioner(bytesEach), strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate({ decision: { auditRate: 0 } }));
  const refs = Array.from({ length: pictures }, (_, index) => `${index}.png`);
  for (const [index, ref] of refs.entries())
    await world.stores.blobs.write(
      { bucket: uploadsBucket, key: `inbox/talk/b/${ref}` },
      new Uint8Array([0x89, 7, index]),
      "image/png",
    );
  const output = [{ type: "text", text: "unsure-mark" }, ...refs.map((ref) => ({ type: "image", ref }))];
  const batch = await upload(world, "inbox/talk/b/s.jsonl", jsonl([JSON.stringify({ id: "s", output })]));
  await world.receive("uploads");
  await world.receive("describe");
  return { world, batch, judge, refs };
};

test("few short ones travel with the sample", async () => {
  const { world } = await start(300);
  const request = world.nextScore();
  expect(request.gists).toHaveLength(pictures);
  expect(request.gistsAt).toBeUndefined();
});

test("long ones go by pointer: judge and reviewer see them, every record fits, and the batch comes to its end", async () => {
  const { world, batch, judge, refs } = await start(60_000);
  const [message] = world.queues.score;
  expect(JSON.stringify(message).length).toBeLessThan(inlineGistBytes);
  expect(message).toMatchObject({
    gists: [],
    gistsAt: { key: expect.stringMatching(/^staging\/sample-gists\//) },
  });
  await world.drain();
  expect(judge.prompts[0]).toContain("价目第7项");
  const [stored] = await world.stores.samples.read([{ batch, run: 1, split: 0, ordinal: 0 }]);
  expect(stored?.result?.gists?.map(({ ref }) => ref)).toEqual(refs);
  const [task] = await Array.fromAsync(world.stores.reviews.undecided());
  expect(Buffer.byteLength(JSON.stringify(task))).toBeLessThan(maxRecordBytes);
  const claimed = await claimReview({ reviewer: "李雷" }, world.reviewPorts());
  if (!claimed.ok) throw new Error(claimed.message);
  const shown = claimed.value.task;
  expect(shown.gists.map(({ ref }) => ref)).toEqual(refs);
  expect(shown.gists.every(({ gist }) => gist.text.length > 20_000)).toBe(true);
  expect(shown).not.toHaveProperty("gistsAt");
  const token = shown.lease?.token ?? "";
  await giveVerdict({ reviewId: shown.id, token, values: { ok: "B" } }, world.reviewPorts());
  await world.drain();
  expect((await world.batch(batch))?.finalAt).toBeDefined();
  expect(world.complaints).toEqual([]);
});
