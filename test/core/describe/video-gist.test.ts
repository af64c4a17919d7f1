/** A video's gist: timecodes, what is said once, what is not covered, and every doubt about a frame. */
import { type DescribedFrame, videoGist } from "@touchstone/core/domain/describe/video-gist";
import { gistSchema } from "@touchstone/core/schema/gist";
import { expect, test } from "vitest";
import { gist } from "../../contract/records.ts";

const hash = "b".repeat(64);
const frame = (atMs: number, scene: number, part: Parameters<typeof gist>[0]): DescribedFrame => ({
  atMs,
  scene,
  gist: gist({ flags: [], unsure: false, ...part }),
});
const frames = [
  frame(1_000, 0, { text: "> 开场", strategy: "text", tokens: 5 }),
  frame(20_500, 1, { text: "一只杯子", strategy: "picture", tokens: 7, flags: ["cut"] }),
  frame(50_000, 1, { text: "一只杯子", strategy: "picture", tokens: 7, flags: ["cut", "evaluates"] }),
];

test("every frame stands at its timecode, what is said again is referred to, and sound is named as not covered", () => {
  const zh = videoGist({ hash, durationMs: 60_000, scenes: 2, hasSound: true, frames }, "zh");
  expect(zh.text).toBe(
    [
      "视频，时长 1:00，2 个场景，以下按时间码描述 3 个关键帧；帧与帧之间的内容没有看。声音没有听，不在描述范围内。",
      "[0:01] 场景 1：",
      "> 开场",
      "[0:20.5] 场景 2：",
      "一只杯子",
      "[0:50] 场景 2：",
      "与 [0:20.5] 相同。",
    ].join("\n"),
  );
  const en = videoGist({ hash, durationMs: 60_000, scenes: 2, hasSound: false, frames }, "en");
  expect(en.text).toMatch(/^A video of 1:00 with 2 scenes; 3 key frames are described.* It has no sound\.\n/);
});

test("it is a gist: of all frames' doubts and tokens, mixed where its frames differ, one piece a frame", () => {
  const whole = videoGist({ hash, durationMs: 60_000, scenes: 2, hasSound: true, frames }, "en");
  expect(gistSchema.parse(whole)).toEqual(whole);
  expect(whole).toMatchObject({
    hash,
    strategy: "mixed",
    flags: ["cut", "evaluates"],
    pieces: 3,
    tokens: 19,
    unsure: false,
  });
  const alike = videoGist({ hash, durationMs: 1, scenes: 1, hasSound: true, frames: frames.slice(1) }, "en");
  expect(alike.strategy).toBe("picture");
});

test("one frame is one piece; none is an error", () => {
  const one = { hash, durationMs: 900, scenes: 1, hasSound: false, frames: frames.slice(0, 1) };
  expect(gistSchema.parse(videoGist(one, "en"))).not.toHaveProperty("pieces");
  expect(videoGist(one, "en").text).toContain("with 1 scene; 1 key frame is described");
  expect(() => videoGist({ ...one, frames: [] }, "en")).toThrow(RangeError);
});
