/** Chooses the frames of a video that stand for it: one a scene at least, more where it goes on or changes. Called by DESCRIBE. */

/** A frame as it is compared: a few bytes a frame, all of the same kind, such as a picture of 16×9 pixels in RGB. */
export interface FrameSignature {
  /** From the beginning of the video. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface KeyFrame {
  readonly atMs: number;
  /** From 0, in order; frames of one scene have the same. */
  readonly scene: number;
}

export interface KeyFrames {
  readonly frames: readonly KeyFrame[];
  readonly scenes: number;
  /** Scenes that were told apart and then taken together, since there are more of them than frames. */
  readonly merged: number;
}

/** A cut: so much of the full range changes at once, and several times what changes from frame to frame around it. */
const cutChange = 0.06;
const cutRatio = 3;
/** As many changes before and as many after tell what is usual: one restless scene must not be many, nor hide others' cuts. */
const around = 6;
/** Within a scene: another look where it has changed by so much, or gone on for so long. */
const newLook = 0.05;
const newLookMs = 15_000;

interface Scene {
  readonly from: number;
  /** Index after its last frame. */
  readonly to: number;
}

/** Frames in order of time, as a decoder samples them; `most` is at least 1. Times of the answer are times of `frames`. */
export const chooseKeyFrames = (frames: readonly FrameSignature[], most: number): KeyFrames => {
  if (most < 1) throw new RangeError("at least one key frame must be allowed");
  if (frames.length === 0) return { frames: [], scenes: 0, merged: 0 };
  const found = scenesOf(frames);
  const scenes = mergeScenes(found, frames, most);
  const chosen = new Set(scenes.map((scene) => typicalFrame(scene, frames)));
  addFurther(scenes, chosen, frames, most);
  return {
    frames: [...chosen]
      .sort((left, right) => left - right)
      .map((index) => ({
        atMs: frames[index]?.atMs ?? 0,
        scene: scenes.findIndex(({ from, to }) => index >= from && index < to),
      })),
    scenes: scenes.length,
    merged: found.length - scenes.length,
  };
};

/** Mean difference of two signatures, as a share of the full range. */
const difference = (left: Uint8Array | undefined, right: Uint8Array | undefined): number => {
  if (left === undefined || right === undefined || left.length === 0) return 0;
  let sum = 0;
  for (let index = 0; index < left.length; index += 1)
    sum += Math.abs((left[index] ?? 0) - (right[index] ?? 0));
  return sum / (left.length * 255);
};

const scenesOf = (frames: readonly FrameSignature[]): readonly Scene[] => {
  const changes = frames.map((frame, index) =>
    index === 0 ? 0 : difference(frames[index - 1]?.bytes, frame.bytes),
  );
  const isCut = (change: number, index: number): boolean =>
    index > 0 && change >= Math.max(cutChange, usualAround(index, changes) * cutRatio);
  const cuts = changes.flatMap((change, index) => (isCut(change, index) ? [index] : []));
  return [0, ...cuts].map((from, index) => ({ from, to: cuts[index] ?? frames.length }));
};

/** The lower median, so that where a restless scene borders on a calm one the calm one counts. */
const usualAround = (index: number, changes: readonly number[]): number => {
  const before = changes.slice(Math.max(1, index - around), index);
  const near = [...before, ...changes.slice(index + 1, index + 1 + around)].sort(
    (left, right) => left - right,
  );
  return near[Math.floor((near.length - 1) / 2)] ?? 0;
};

/** The shortest scene joins the neighbour that looks more like it, until no more are left than frames are allowed. */
const mergeScenes = (
  found: readonly Scene[],
  frames: readonly FrameSignature[],
  most: number,
): readonly Scene[] => {
  let scenes = [...found];
  const look = (scene: Scene | undefined): Uint8Array | undefined =>
    scene && frames[Math.floor((scene.from + scene.to) / 2)]?.bytes;
  while (scenes.length > most) {
    const shortest = scenes.reduce(
      (best, { from, to }, index) => {
        const length = to - from;
        return length < best.length ? { index, length } : best;
      },
      { index: 0, length: Number.POSITIVE_INFINITY },
    ).index;
    const [before, scene, after] = [scenes[shortest - 1], scenes[shortest], scenes[shortest + 1]];
    const isEarlier =
      after === undefined ||
      (before !== undefined && difference(look(before), look(scene)) <= difference(look(after), look(scene)));
    const first = isEarlier ? shortest - 1 : shortest;
    const joined = { from: scenes[first]?.from ?? 0, to: scenes[first + 1]?.to ?? frames.length };
    scenes = [...scenes.slice(0, first), joined, ...scenes.slice(first + 2)];
  }
  return scenes;
};

/** The frame nearest to the scene's mean; its ends, where a transition may still be going on, only where there is no other. */
const typicalFrame = ({ from, to }: Scene, frames: readonly FrameSignature[]): number => {
  const inner = to - from > 2 ? { from: from + 1, to: to - 1 } : { from, to };
  const members = frames.slice(inner.from, inner.to);
  const size = members[0]?.bytes.length ?? 0;
  const mean = Uint8Array.from({ length: size }, (_, index) =>
    Math.round(members.reduce((sum, { bytes }) => sum + (bytes[index] ?? 0), 0) / members.length),
  );
  let best = { index: inner.from, distance: Number.POSITIVE_INFINITY };
  members.forEach(({ bytes }, offset) => {
    const distance = difference(bytes, mean);
    if (distance < best.distance) best = { index: inner.from + offset, distance };
  });
  return best.index;
};

/**
 * Adds, one after the other, the frame that shows most of what the chosen ones of its scene do not, by its look or by its
 * distance in time, until none is worth it or there are `most`.
 */
const addFurther = (
  scenes: readonly Scene[],
  chosen: Set<number>,
  frames: readonly FrameSignature[],
  most: number,
): void => {
  const worth = new Array<number>(frames.length).fill(Number.POSITIVE_INFINITY);
  const compare = (index: number): void => {
    const scene = scenes.find(({ from, to }) => index >= from && index < to);
    const shown = frames[index];
    if (scene === undefined || shown === undefined) return;
    for (let at = scene.from; at < scene.to; at += 1) {
      const frame = frames[at];
      const look = difference(frame?.bytes, shown.bytes) / newLook;
      const time = Math.abs((frame?.atMs ?? 0) - shown.atMs) / newLookMs;
      worth[at] = Math.min(worth[at] ?? 0, Math.max(look, time));
    }
  };
  for (const index of chosen) compare(index);
  while (chosen.size < most) {
    const best = worth.reduce((found, value, index) => (value > (worth[found] ?? 0) ? index : found), 0);
    if ((worth[best] ?? 0) < 1) return;
    chosen.add(best);
    compare(best);
  }
};

/** `0:07`, `12:30`, `1:02:03`; with tenths where the moment is not a whole second. */
export const timecode = (atMs: number): string => {
  const tenths = Math.round(atMs / 100);
  const [seconds, minutes, hours] = [
    Math.floor(tenths / 10) % 60,
    Math.floor(tenths / 600) % 60,
    Math.floor(tenths / 36_000),
  ];
  const two = (value: number): string => String(value).padStart(2, "0");
  const rest = tenths % 10 === 0 ? "" : `.${tenths % 10}`;
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${start}:${two(seconds)}${rest}`;
};
