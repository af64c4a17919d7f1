/** A small task, a file for it, and models that answer from what they read; for tests of hops over the memory ports. */
import { decodeS3Key } from "@touchstone/core/domain/intake/upload-key";
import type { ChatModel, StrategyModel } from "@touchstone/core/ports";
import { type ChatCompletion, type ChatRequest, chatCompletionSchema } from "@touchstone/core/schema/chat";
import { type BatchId, batchIdSchema } from "@touchstone/core/schema/identity";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import { token } from "../core/confidence/tokens.ts";
import { uploadsBucket, type World } from "./world.ts";

export const talkTemplate = (part: object = {}): Template =>
  templateSchema.parse({
    task: "talk",
    version: 1,
    family: "dialogue",
    title: { zh: "对话", en: "talk" },
    standard: "回答切题即为好。",
    fields: [
      {
        kind: "label",
        id: "ok",
        title: "ok",
        labels: [
          { code: "A", name: "good" },
          { code: "B", name: "bad" },
        ],
      },
    ],
    decision: { auditRate: 0.3 },
    ...part,
  });

/** Answers "A", with the probability that a mark in the prompt tells: 0.6 for `unsure`, else 0.99. */
export const readingJudge = (): ChatModel & { readonly prompts: readonly string[] } => {
  const prompts: string[] = [];
  return {
    model: "judge-1",
    prompts,
    async complete(request: Omit<ChatRequest, "model">): Promise<ChatCompletion> {
      const prompt = JSON.stringify(request.messages);
      prompts.push(prompt);
      if (prompt.includes("garbage-mark")) return completion([token("I cannot say")]);
      const p = prompt.includes("unsure-mark") ? 0.6 : 0.99;
      return completion([
        token('{"explanation":"e","evidence":[],"fields":{"ok":"'),
        token("A", p, { B: 1 - p }),
        token('"}}'),
      ]);
    },
  };
};

const completion = (tokens: readonly ReturnType<typeof token>[]): ChatCompletion =>
  chatCompletionSchema.parse({
    model: "judge-1",
    choices: [
      {
        finish_reason: "stop",
        message: { content: tokens.map((one) => one.token).join("") },
        logprobs: { content: tokens },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  });

export const plainCaptioner = (): ChatModel & { readonly calls: () => number } => {
  let calls = 0;
  return {
    model: "captioner-1",
    calls: () => calls,
    async complete() {
      calls += 1;
      return completion([token("一张绿色的海报，写着春季上新。")]);
    },
  };
};

export const mixedStrategy = (): StrategyModel => ({
  version: "mixed",
  choose: async () => ({
    strategy: "mixed",
    probabilities: { text: 0.2, picture: 0.2, mixed: 0.6 },
    unsure: false,
    model: "strategy-1",
  }),
});

/** Puts a file into the inbox and its event into the queue; returns the id of its batch. */
export const upload = async (world: World, key: string, body: string | Uint8Array): Promise<BatchId> => {
  const name = decodeS3Key(key) ?? key;
  await world.stores.blobs.write({ bucket: uploadsBucket, key: name }, body, "application/jsonl");
  const head = await world.stores.blobs.head({ bucket: uploadsBucket, key: name });
  const versionId = head?.versionId ?? "v0";
  world.queues.uploads.push(uploadEvent(key, versionId, world.state.now));
  return batchIdSchema.parse(`${name.slice("inbox/".length)}@${versionId}`);
};

export const uploadEvent = (key: string, versionId: string, now: number) => ({
  Records: [
    {
      eventSource: "aws:s3",
      eventName: "ObjectCreated:Put",
      eventTime: new Date(now).toISOString(),
      s3: { bucket: { name: uploadsBucket }, object: { key, size: 1, versionId, sequencer: "01" } },
    },
  ],
});

/** A file with one line of every kind: sure, unsure, unreadable answer, broken, repeated, unrouted. */
export const mixedLines = [
  '{"id":"sure-1","output":"回答一"}',
  '{"id":"sure-2","output":"回答二"}',
  '{"id":"unsure","output":"unsure-mark"}',
  '{"id":"garbage","output":"garbage-mark"}',
  '{"id":"broken","output":',
  '{"id":"sure-1","output":"again"}',
  '{"id":"elsewhere","task":"nobody","output":"x"}',
];
export const jsonl = (lines: readonly string[]): string => `${lines.join("\n")}\n`;
