/** Key frames: scenes found, every one shown, never too many, and always frames that were there. */
import { chooseKeyFrames, type FrameSignature, timecode } from "@touchstone/core/domain/describe/key-frames";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const most = 12;
const size = 16 * 9 * 3;
const rate = 2;

/** A scene: one colour, and a bright patch that wanders through it. */
const scene = (seconds: number, colour: readonly [number, number, number], wandering = 0): Uint8Array[] =>
  Array.from({ length: seconds * rate }, (_, step) => {
    const bytes = Uint8Array.from({ length: size }, (__, index) => colour[index % 3] ?? 0);
    for (let at = 0; at < 6; at += 1) bytes[(step * wandering * 3 + at) % size] = 255;
    return bytes;
  });
const timed = (bytes: readonly Uint8Array[]): FrameSignature[] =>
  bytes.map((one, index) => ({ atMs: (index * 1000) / rate, bytes: one }));

const red = [200, 30, 30] as const;
const green = [30, 180, 30] as const;
const blue = [30, 30, 200] as const;
const grey = [128, 128, 128] as const;
const dark = [10, 10, 10] as const;
const five = timed([
  ...scene(20, red, 1),
  ...scene(3, green, 1),
  ...scene(17, blue, 1),
  ...scene(8, grey, 1),
  ...scene(12, dark, 1),
]);

describe("a clip of 60 s and five scenes", () => {
  const { frames, scenes, merged } = chooseKeyFrames(five, most);

  test("gives at most 12 frames, at least one a scene, within its scene", () => {
    expect(scenes).toBe(5);
    expect(merged).toBe(0);
    expect(frames.length).toBeGreaterThanOrEqual(5);
    expect(frames.length).toBeLessThanOrEqual(most);
    expect(new Set(frames.map((frame) => frame.scene))).toEqual(new Set([0, 1, 2, 3, 4]));
    const ends = [20_000, 23_000, 40_000, 48_000, 60_000];
    for (const { atMs, scene: index } of frames) {
      expect(atMs).toBeLessThan(ends[index] ?? 0);
      expect(atMs).toBeGreaterThanOrEqual(ends[index - 1] ?? 0);
    }
  });

  test("and one frame where one is all there may be", () => {
    expect(chooseKeyFrames(five, 1)).toMatchObject({ scenes: 1, merged: 4, frames: [{ scene: 0 }] });
  });
});

describe("within a scene", () => {
  test("a still picture is looked at again only as time goes on", () => {
    const at = (seconds: number): number => chooseKeyFrames(timed(scene(seconds, red)), most).frames.length;
    expect([at(10), at(60), at(3600)]).toEqual([1, 3, most]);
  });

  test("a slow change, with no cut anywhere, is shown at several moments", () => {
    const fading = Array.from({ length: 40 }, (_, step) => scene(1 / rate, [step * 6, 0, 240 - step * 6])[0]);
    const { frames, scenes } = chooseKeyFrames(timed(fading.flatMap((one) => one ?? [])), most);
    expect(scenes).toBe(1);
    expect(frames.length).toBeGreaterThan(3);
  });

  test("restless pictures are not taken for a cut at every frame", () => {
    let state = 1;
    const noise = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % 256;
    };
    const restless = Array.from({ length: 120 }, () => Uint8Array.from({ length: size }, noise));
    expect(chooseKeyFrames(timed(restless), most).scenes).toBe(1);
  });

  test("a restless scene is one scene, and hides no cut of the calm ones around it", () => {
    const flicker = (seconds: number): Uint8Array[] =>
      Array.from({ length: seconds * rate }, (_, step) =>
        new Uint8Array(size).fill(step % 2 === 0 ? 100 : 130 - (step % 5)),
      );
    const clip = timed([...scene(9, red, 1), ...flicker(20), ...scene(3, green, 1), ...scene(8, blue, 1)]);
    const { frames, scenes } = chooseKeyFrames(clip, most);
    expect(scenes).toBe(4);
    expect(new Set(frames.map((frame) => frame.scene))).toEqual(new Set([0, 1, 2, 3]));
  });

  test("cuts every second are all cuts", () => {
    const colours = [red, green, blue, grey, dark, red, blue, green] as const;
    const clip = timed(colours.flatMap((colour) => scene(1, colour, 1)));
    expect(chooseKeyFrames(clip, most).scenes).toBe(8);
  });

  test("the frame that is shown is no frame of the transition", () => {
    const mixed = scene(1 / rate, [115, 105, 30]);
    const clip = timed([...scene(4, red), ...mixed, ...scene(4, green)]);
    const times = chooseKeyFrames(clip, 2).frames.map(({ atMs }) => atMs);
    expect(times.filter((time) => time === 4_000)).toEqual([]);
  });
});

describe("any video", () => {
  const clips = fc
    .array(
      fc.record({
        seconds: fc.integer({ min: 1, max: 6 }),
        colour: fc.constantFrom(red, green, blue, grey, dark),
        wandering: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 1, maxLength: 20 },
    )
    .map((parts) =>
      timed(parts.flatMap(({ seconds, colour, wandering }) => scene(seconds, colour, wandering))),
    );
  const limits = fc.integer({ min: 1, max: 16 });

  test("frames are frames of it, in order, each once, no more than allowed", () => {
    fc.assert(
      fc.property(clips, limits, (frames, limit) => {
        const times = chooseKeyFrames(frames, limit).frames.map(({ atMs }) => atMs);
        const known = new Set(frames.map(({ atMs }) => atMs));
        expect(times.length).toBeGreaterThanOrEqual(1);
        expect(times.length).toBeLessThanOrEqual(limit);
        expect(times.every((time) => known.has(time))).toBe(true);
        expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));
      }),
    );
  });

  test("every scene is shown, however few frames are allowed; scenes and merged ones add up", () => {
    fc.assert(
      fc.property(clips, limits, (frames, limit) => {
        const all = chooseKeyFrames(frames, frames.length).scenes;
        const { frames: chosen, scenes, merged } = chooseKeyFrames(frames, limit);
        expect(new Set(chosen.map(({ scene: index }) => index)).size).toBe(scenes);
        expect(scenes).toBe(Math.min(all, limit));
        expect(scenes + merged).toBe(all);
      }),
    );
  });

  test("nothing of nothing", () => {
    expect(chooseKeyFrames([], most)).toEqual({ frames: [], scenes: 0, merged: 0 });
    expect(() => chooseKeyFrames(five, 0)).toThrow(RangeError);
  });
});

test.each([
  [0, "0:00"],
  [7_000, "0:07"],
  [7_500, "0:07.5"],
  [59_990, "1:00"],
  [750_000, "12:30"],
  [3_723_000, "1:02:03"],
])("%i ms is %s", (atMs, expected) => {
  expect(timecode(atMs)).toBe(expected);
});
