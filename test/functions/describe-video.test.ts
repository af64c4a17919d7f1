/** DESCRIBE on videos: key frames with timecodes, decoded and paid once, and on with it where time ran out. */
import { transient } from "@touchstone/core/errors";
import type { ChatModel, VideoReader } from "@touchstone/core/ports";
import { scoreRequestSchema } from "@touchstone/core/schema/messages";
import { timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { pictureKey } from "../../functions/_batch/staged.ts";
import { type DescribePorts, describeSample } from "../../functions/describe/describe.ts";
import { scriptedVideoReader } from "../memory/scripted-video-reader.ts";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld, resultsBucket } from "./world.ts";

const five = { scenes: [20, 3, 17, 8, 12], hasSound: true };

const start = async (file = "video", template: object = {}) => {
  const captioner = plainCaptioner();
  const world = createWorld({ judge: readingJudge(), captioner, strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate(template));
  const place = { bucket: "uploads", key: "inbox/talk/b/clip.mp4" };
  await world.stores.blobs.write(place, new TextEncoder().encode(file), "video/mp4");
  const lines = ["one", "two"].map((id) =>
    JSON.stringify({ id, output: [{ type: "video", ref: "clip.mp4" }] }),
  );
  await upload(world, "inbox/talk/b/s.jsonl", jsonl(lines));
  await world.receive("uploads");
  const videos = scriptedVideoReader(five);
  const describeNext = (part: Partial<DescribePorts> = {}, deadline = Number.POSITIVE_INFINITY) =>
    describeSample(world.nextDescribe(), deadline, { ...world.ports(), videos, ...part });
  const scored = () => world.queues.score.map((message) => scoreRequestSchema.parse(message));
  return { world, captioner, videos, describeNext, scored };
};

describe("a video", () => {
  test("of five scenes becomes one gist: at most 12 frames, one a scene at least, each at its timecode", async () => {
    const { world, captioner, describeNext, scored } = await start();
    await describeNext();
    const [placed] = scored()[0]?.gists ?? [];
    const text = placed?.gist.text ?? "";
    const scenes = [...text.matchAll(/^\[(\d+:\d\d(?:\.\d)?)\] 场景 (\d)：$/gm)].map(([, , scene]) => scene);
    expect(text).toMatch(/^视频，时长 1:00，5 个场景/);
    expect(text).toContain("声音没有听，不在描述范围内");
    expect(new Set(scenes)).toEqual(new Set(["1", "2", "3", "4", "5"]));
    expect(scenes.length).toBeLessThanOrEqual(12);
    expect(placed?.gist.pieces).toBe(scenes.length);
    expect(captioner.calls()).toBe(scenes.length);
    for (const index of scenes.keys()) {
      const key = pictureKey(placed?.gist ?? { hash: "" }, index);
      expect(await world.stores.blobs.head({ bucket: resultsBucket, key })).not.toBeNull();
    }
  });

  test("that two samples show is decoded once and paid once", async () => {
    const { captioner, videos, describeNext, scored } = await start();
    await describeNext();
    const paid = captioner.calls();
    await describeNext();
    expect(captioner.calls()).toBe(paid);
    expect(videos.reads()).toBe(1);
    expect(scored()[1]?.gists[0]?.gist).toEqual(scored()[0]?.gists[0]?.gist);
  });

  test("for which time runs out goes on where it left off, decoded once, every frame paid once", async () => {
    const { world, captioner, videos, describeNext, scored } = await start();
    const slow: ChatModel = {
      model: captioner.model,
      async complete(request, signal) {
        world.state.now += 20_000;
        return captioner.complete(request, signal);
      },
    };
    world.queues.describe.splice(1);
    let turns = 0;
    while (world.queues.describe.length > 0) {
      turns += 1;
      const deadline = world.state.now + timing().functionTimeout.describe * 1000;
      await describeNext({ captioner: slow }, deadline);
      expect(world.state.now).toBeLessThan(deadline);
    }
    expect(turns).toBeGreaterThan(1);
    expect(videos.reads()).toBe(1);
    expect(captioner.calls()).toBe(scored()[0]?.gists[0]?.gist.pieces);
    expect(scored()[0]).toMatchObject({ problems: [] });
  });
});

test("a video for which the decoder has no time left waits, and no attempt is used up", async () => {
  const { world, describeNext, scored } = await start();
  world.queues.describe.splice(1);
  const videos: VideoReader = {
    read: async () => {
      throw transient("held", "the decoder was busy with other videos");
    },
  };
  await describeNext({ videos });
  expect(scored()).toEqual([]);
  expect(world.queues.describe).toMatchObject([{ attempts: 0, waits: 1 }]);
});

describe("what cannot be described", () => {
  test("a file that is no video is named", async () => {
    const { captioner, describeNext, scored } = await start("<html>");
    await describeNext();
    expect(scored()[0]?.problems).toMatchObject([{ ref: "clip.mp4", kind: "unreadable" }]);
    expect(captioner.calls()).toBe(0);
  });

  test.each([
    ["zh", /没有安装视频解码器/],
    ["en", /no decoder of videos is installed/],
  ])("without a decoder people are told what to send instead: %s", async (language, message) => {
    const { describeNext, scored } = await start("video", { judge: { language } });
    await describeNext({ videos: undefined });
    expect(scored()[0]?.problems).toMatchObject([
      { kind: "unsupported", message: expect.stringMatching(message) },
    ]);
  });

  test("a video counts as one picture of the template's limit", async () => {
    const { describeNext, scored } = await start("video", { media: { maxImages: 1 } });
    await describeNext();
    expect(scored()[0]?.problems).toEqual([]);
  });
});
