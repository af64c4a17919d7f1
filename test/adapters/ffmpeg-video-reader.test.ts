/** The video reader around its decoder: what is asked of it, what becomes of its answers, and that it can be ended. */
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ffmpegVideoReader } from "../../functions/_aws/ffmpeg-video-reader.ts";

const picture = { codec_type: "video", width: 640, height: 360, avg_frame_rate: "25/1" };
const sound = { codec_type: "audio" };

/** What every WebAssembly program begins with. */
const emptyProgram = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

let folder: string;
let core: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "touchstone-ffmpeg-"));
  core = path.join(folder, "ffmpeg-core.cjs");
  await copyFile(path.join(import.meta.dirname, "fake-ffmpeg.cjs"), core);
  await writeFile(path.join(folder, "ffmpeg-core.wasm"), emptyProgram);
});
afterAll(() => rm(folder, { recursive: true }));

const reader = (timeoutMs = 30_000) => ffmpegVideoReader(core, timeoutMs, () => 0);
const bytesOf = (film: object | string) =>
  new TextEncoder().encode(typeof film === "string" ? film : JSON.stringify(film));
const read = (film: object | string, timeoutMs?: number) =>
  reader(timeoutMs).read(bytesOf(film), "en", Number.POSITIVE_INFINITY);
const opened = async (film: object) => {
  const outcome = await read(film);
  if (outcome.kind !== "video") throw new Error(`it is ${outcome.kind}: ${outcome.message}`);
  return outcome.video;
};

describe("a video", () => {
  test("is looked at twice a second, and says how long it is and whether it has sound", async () => {
    const video = await opened({ streams: [sound, picture], duration: "60.000" });
    expect(video).toMatchObject({ durationMs: 60_000, hasSound: true });
    expect(video.frames).toHaveLength(120);
    expect(video.frames.slice(0, 3).map(({ atMs }) => atMs)).toEqual([0, 500, 1000]);
    expect(video.frames[3]?.bytes).toEqual(new Uint8Array(16 * 9 * 3).fill(3));
  });

  test("gives the frames at the times of its signatures, in their order", async () => {
    const video = await opened({ streams: [picture], duration: "60.000" });
    const stills = await video.stills([4_000, 19_500, 55_000]);
    expect(stills.map((still) => Buffer.from(still).toString())).toEqual([
      "still 8",
      "still 39",
      "still 110",
    ]);
  });

  test("that is long is looked at less often, with the same frames behind its times", async () => {
    const video = await opened({ streams: [picture], duration: "3000" });
    expect(video.frames).toHaveLength(1_200);
    expect(video.frames.at(-1)?.atMs).toBe(2_997_500);
    const [still] = await video.stills([2_997_500]);
    expect(Buffer.from(still ?? []).toString()).toBe("still 1199 of key pictures");
  });
});

test("of a large video only key pictures are decoded, and its end is not missed", async () => {
  const large = { ...picture, width: 1920, height: 1080 };
  const video = await opened({ streams: [large], duration: "60", decodable: 0.7 });
  expect(video.frames).toHaveLength(84);
  const [still] = await video.stills([1_000]);
  expect(Buffer.from(still ?? []).toString()).toBe("still 2 of key pictures");
});

describe("what cannot be read is named", () => {
  test.each<[string, object | string, string, RegExp]>([
    ["sound alone", { streams: [sound], duration: "60" }, "unreadable", /sound alone/],
    ["no length", { streams: [picture], duration: "N/A" }, "unreadable", /no video that can be read/],
    [
      "frames that memory could not hold",
      { streams: [{ ...picture, width: 16_000, height: 16_000 }], duration: "3" },
      "too-large",
      /larger than 4096×2304/,
    ],
    ["over an hour", { streams: [picture], duration: "3601" }, "too-large", /longer than 60 minutes/],
    [
      "coded in a way that the decoder has not learnt",
      { streams: [{ ...picture, codec_name: "av1" }], duration: "60", decodable: 0 },
      "unsupported",
      /coded as av1/,
    ],
    [
      "a broken decoder",
      { streams: [picture], duration: "60", breaks: true },
      "unreadable",
      /broke the decoder/,
    ],
    ["cut off", { streams: [picture], duration: "60", decodable: 0.5 }, "unreadable", /cut off/],
  ])("%s", async (_, film, kind, message) => {
    expect(await read(film)).toEqual({ kind, message: expect.stringMatching(message) });
  });

  test("a decoder that does not come to an end is ended", async () => {
    const outcome = await read({ streams: [picture], duration: "60", hangs: true }, 500);
    expect(outcome).toEqual({ kind: "too-large", message: expect.stringContaining("0.5 s to decode") });
  });

  test("nothing is begun that could last beyond the deadline; it is waited for", async () => {
    const film = bytesOf({ streams: [picture], duration: "60" });
    await expect(reader(30_000).read(film, "en", 29_999)).rejects.toMatchObject({ code: "held" });
    expect(await reader(30_000).read(film, "en", 30_000)).toMatchObject({ kind: "video" });
  });

  test("key frames that cannot be got at are an error with a name", async () => {
    const video = await opened({ streams: [picture], duration: "60", losesStills: true });
    await expect(video.stills([1_000])).rejects.toMatchObject({ code: "bad-file" });
  });

  test("a decoder that breaks is an error of the moment, not of the video", async () => {
    await expect(read("no json at all")).rejects.toThrow();
  });
});
