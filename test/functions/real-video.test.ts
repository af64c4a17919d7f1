/** DESCRIBE on real files with the real decoder: five scenes in a minute, and what is no whole video. */
import type { VideoReader } from "@touchstone/core/ports";
import { keptFramesSchema } from "@touchstone/core/schema/kept-frames";
import { scoreRequestSchema } from "@touchstone/core/schema/messages";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { ffmpegVideoReader, findFfmpeg } from "../../functions/_aws/ffmpeg-video-reader.ts";
import { sharpNormaliser } from "../../functions/_aws/sharp-normaliser.ts";
import { frameKey, framesKey } from "../../functions/_batch/staged.ts";
import { describeSample } from "../../functions/describe/describe.ts";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { type MadeClips, makeClips } from "./made-clips.ts";
import { createWorld, resultsBucket } from "./world.ts";

const five = [
  { shades: ["red", "darkred"], seconds: 20 },
  { shades: ["lime", "green"], seconds: 3 },
  { shades: ["blue", "navy"], seconds: 17 },
  { shades: ["white", "silver"], seconds: 8 },
  { shades: ["magenta", "purple"], seconds: 12 },
] as const;
/** Which of red, green and blue are strong in each scene, and when it ends. */
const seen = ["r", "g", "b", "rgb", "rb"];
const ends = [20_000, 23_000, 40_000, 48_000, 60_000];

const core = findFfmpeg() ?? "not installed";
const videos = ffmpegVideoReader(core, 30_000, Date.now);
const read = (bytes: Uint8Array) => videos.read(bytes, "en", Number.POSITIVE_INFINITY);

let clips: MadeClips;
beforeAll(async () => {
  clips = await makeClips(core, five);
});

/** One sample with these bytes as its video, through DESCRIBE. */
const describeClip = async (bytes: Uint8Array, reader: VideoReader | undefined) => {
  const captioner = plainCaptioner();
  const world = createWorld({ judge: readingJudge(), captioner, strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate({ judge: { language: "en" } }));
  await world.stores.blobs.write({ bucket: "uploads", key: "inbox/talk/b/clip.mp4" }, bytes, "video/mp4");
  const line = JSON.stringify({ id: "one", output: [{ type: "video", ref: "clip.mp4" }] });
  await upload(world, "inbox/talk/b/s.jsonl", jsonl([line]));
  await world.receive("uploads");
  const ports = { ...world.ports(), videos: reader, normaliser: sharpNormaliser() };
  await describeSample(world.nextDescribe(), Number.POSITIVE_INFINITY, ports);
  const [message] = world.queues.score.map((one) => scoreRequestSchema.parse(one));
  return { world, captioner, gist: message?.gists[0]?.gist, problems: message?.problems };
};

const strongIn = async (picture: Uint8Array): Promise<string> => {
  const { channels } = await sharp(picture).stats();
  return channels.flatMap(({ mean }, index) => (mean > 90 ? ["rgb"[index]] : [])).join("");
};

test("a clip of 60 s and five scenes: at most 12 frames, each scene shown, each frame what it shows at its timecode", async () => {
  const { world, captioner, gist, problems } = await describeClip(clips.scenes, videos);
  expect(problems).toEqual([]);
  expect(gist?.text).toMatch(/^A video of 1:00 with 5 scenes; \d+ key frames are described/);
  expect(gist?.text).toContain("Its sound was not listened to and is not covered.");

  const blob = async (key: string) =>
    (await world.stores.blobs.read({ bucket: resultsBucket, key }, 1e7)).bytes;
  const hash = gist?.hash ?? "";
  const kept = keptFramesSchema.parse(JSON.parse(Buffer.from(await blob(framesKey(hash))).toString()));
  expect(kept.frames.length).toBeLessThanOrEqual(12);
  expect(new Set(kept.frames.map(({ scene }) => scene))).toEqual(new Set([0, 1, 2, 3, 4]));
  for (const [index, { atMs, scene }] of kept.frames.entries()) {
    expect(ends.findIndex((end) => atMs < end)).toBe(scene);
    expect(await strongIn(await blob(frameKey(hash, index)))).toBe(seen[scene]);
  }
  // A frame that looks like one before it is paid once.
  expect(captioner.calls()).toBeLessThanOrEqual(kept.frames.length);
  expect(gist?.text.match(/^\[\d:\d\d(\.\d)?\] scene \d:$/gm)).toHaveLength(kept.frames.length);
});

describe("what is no whole video is named", () => {
  const picture = () => sharp({ create: { width: 64, height: 48, channels: 3, background: "red" } });

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, string, RegExp]>([
    ["a page", () => Buffer.from("<html>no video here</html>"), "unreadable", /no video that can be read/],
    ["a picture", () => picture().png().toBuffer(), "unreadable", /no video that can be read/],
    ["nothing", () => new Uint8Array(), "unreadable", /no video that can be read/],
    ["sound", () => clips.tone, "unreadable", /sound alone/],
    ["cut off", () => clips.scenes.subarray(0, clips.scenes.length / 2), "unreadable", /cut off/],
    ["without its head", () => clips.scenes.subarray(4_000), "unreadable", /no video that can be read/],
    ["over an hour", () => clips.long, "too-large", /longer than 60 minutes/],
    ["of frames beyond 4K", () => clips.wide, "too-large", /larger than 4096×2304/],
  ])("%s", async (_, file, kind, message) => {
    expect(await read(await file())).toEqual({ kind, message: expect.stringMatching(message) });
  });

  test("a decoder out of time is ended, and the next file is read all the same", async () => {
    const hasty = ffmpegVideoReader(core, 1, Date.now);
    const outcome = await hasty.read(clips.scenes, "en", Number.POSITIVE_INFINITY);
    expect(outcome).toEqual({ kind: "too-large", message: expect.stringMatching(/to decode/) });
    expect(await read(clips.long)).toMatchObject({ kind: "too-large" });
  });

  test("over 64 MB: refused before any decoder is asked", async () => {
    const { problems } = await describeClip(new Uint8Array(64 * 1024 * 1024 + 1), videos);
    expect(problems).toMatchObject([{ ref: "clip.mp4", kind: "too-large" }]);
  });

  test("all of it, where the decoder was left out", async () => {
    const { problems } = await describeClip(clips.scenes, undefined);
    expect(problems).toMatchObject([{ kind: "unsupported", message: expect.stringMatching(/no decoder/) }]);
  });
});

test("a reader reads nothing of its decoder before a video comes", async () => {
  const absent = ffmpegVideoReader("/nowhere/ffmpeg-core.js", 30_000, Date.now);
  await expect(absent.read(clips.tone, "en", Number.POSITIVE_INFINITY)).rejects.toThrow(/nowhere/);
});
