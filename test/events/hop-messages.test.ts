/** The numbered messages in events/: what each hop really sends, made by running the hops. `UPDATE_EVENTS=1` writes them anew. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { batchIdOf, encodeS3Key } from "@touchstone/core/domain/intake/upload-key";
import { queueSchemas } from "@touchstone/core/pipeline";
import { expect, test } from "vitest";
import { claimReview, giveVerdict } from "../../functions/review/review.ts";
import { mixedStrategy, plainCaptioner, readingJudge, talkTemplate } from "../functions/fixtures.ts";
import { createWorld, uploadsBucket } from "../functions/world.ts";

const events = path.join(import.meta.dirname, "../../events");
const key = "inbox/talk/2026-11/红花 (1).jsonl";

/** The record as S3 writes it: form-encoded key, no prefix before the event's name. */
const notification = (versionId: string) => ({
  Records: [
    {
      eventVersion: "2.1",
      eventSource: "aws:s3",
      awsRegion: "us-east-1",
      eventTime: "2026-11-29T14:00:00.000Z",
      eventName: "ObjectCreated:Put",
      s3: {
        s3SchemaVersion: "1.0",
        bucket: { name: uploadsBucket, arn: `arn:aws:s3:::${uploadsBucket}` },
        object: { key: encodeS3Key(key), size: 241, eTag: "7d9f", versionId, sequencer: "0066B0A1" },
      },
    },
  ],
});

const lines = [
  {
    id: "s-1",
    input: "为鲜花店做一张海报，写明「花束 99 元」。",
    output: [
      { type: "text", text: "做好了，请看：unsure-mark" },
      { type: "image", ref: "pictures/poster.jpg" },
    ],
  },
  { id: "s-2", output: true },
  { id: "s-3", output: 7 },
];

const capture = async (): Promise<Readonly<Record<string, unknown>>> => {
  const world = createWorld({
    judge: readingJudge(),
    captioner: plainCaptioner(),
    strategy: mixedStrategy(),
  });
  world.stores.templates.put(talkTemplate());
  const put = (name: string, body: string | Uint8Array) =>
    world.stores.blobs.write({ bucket: uploadsBucket, key: name }, body, "application/octet-stream");
  await put("inbox/talk/2026-11/pictures/poster.jpg", new Uint8Array([0xff, 0xd8, 0xff]));
  await put(key, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  const versionId = (await world.stores.blobs.head({ bucket: uploadsBucket, key }))?.versionId ?? "";
  world.queues.uploads.push(notification(versionId));
  const messages: Record<string, unknown> = { "01-s3-object-created": notification(versionId) };
  await world.receive("uploads");
  messages["02-describe-request"] = world.queues.describe[0];
  messages["02-settle-bad-lines"] = world.queues.settle[0];
  messages["02-settle-check"] = world.queues.settle.at(-1);
  await world.receive("describe");
  messages["03-score-request"] = world.queues.score[0];
  await world.receive("score");
  messages["04-settle-outcome"] = world.queues.settle.at(-1);
  await world.drain();
  messages["05-review-hint"] = world.queues.review[0];
  const claimed = await claimReview({ reviewer: "ann" }, world.reviewPorts());
  if (!claimed.ok) throw new Error(claimed.message);
  const { id, lease } = claimed.value.task;
  await giveVerdict({ reviewId: id, token: lease?.token ?? "", values: { ok: "B" } }, world.reviewPorts());
  messages["06-settle-verdict"] = world.queues.settle.at(-1);
  await world.receive("settle");
  messages["07-learn-verdict"] = world.queues.learn[0];
  await world.drain();
  const batch = await world.batch(batchIdOf(key, { versionId }));
  expect(batch?.finalAt).toBeDefined();
  return messages;
};

test("each numbered message is what the hop sends, and what the next one reads", async () => {
  const messages = await capture();
  for (const [name, message] of Object.entries(messages)) {
    const file = path.join(events, `${name}.json`);
    const text = `${JSON.stringify(message, null, 2)}\n`;
    if (process.env.UPDATE_EVENTS) await writeFile(file, text);
    expect(await readFile(file, "utf8"), `${name} is stale: run UPDATE_EVENTS=1 npm test -- ${name}`).toBe(
      text,
    );
  }
  queueSchemas.uploads.parse(messages["01-s3-object-created"]);
  queueSchemas.describe.parse(messages["02-describe-request"]);
  queueSchemas.score.parse(messages["03-score-request"]);
  for (const name of ["02-settle-bad-lines", "02-settle-check", "04-settle-outcome", "06-settle-verdict"]) {
    queueSchemas.settle.parse(messages[name]);
  }
  queueSchemas.review.parse(messages["05-review-hint"]);
  queueSchemas.learn.parse(messages["07-learn-verdict"]);
});
