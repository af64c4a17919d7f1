/** One gist of a video from those of its key frames, each with its timecode. Called by DESCRIBE; pure. */
import { type Gist, gistFlags, strategies } from "../../schema/gist.ts";
import { timecode } from "./key-frames.ts";

export interface DescribedFrame {
  readonly atMs: number;
  /** From 0. */
  readonly scene: number;
  readonly gist: Gist;
}

export interface DescribedVideo {
  /** SHA-256 of the video's bytes, hex. */
  readonly hash: string;
  readonly durationMs: number;
  readonly scenes: number;
  readonly hasSound: boolean;
  /** In order; at least one. */
  readonly frames: readonly DescribedFrame[];
}

interface VideoWords {
  readonly head: (duration: string, scenes: number, frames: number) => string;
  readonly sound: string;
  readonly silent: string;
  readonly frame: (at: string, scene: number) => string;
  readonly same: (at: string) => string;
}

const words: Readonly<Record<"zh" | "en", VideoWords>> = {
  zh: {
    head: (duration, scenes, frames) =>
      `视频，时长 ${duration}，${scenes} 个场景，以下按时间码描述 ${frames} 个关键帧；帧与帧之间的内容没有看。`,
    sound: "声音没有听，不在描述范围内。",
    silent: "视频没有声音。",
    frame: (at, scene) => `[${at}] 场景 ${scene}：`,
    same: (at) => `与 [${at}] 相同。`,
  },
  en: {
    head: (duration, scenes, frames) =>
      `A video of ${duration} with ${scenes} ${scenes === 1 ? "scene" : "scenes"}; ${frames} key ${frames === 1 ? "frame is" : "frames are"} described, each at its timecode. What lies between them was not looked at.`,
    sound: "Its sound was not listened to and is not covered.",
    silent: "It has no sound.",
    frame: (at, scene) => `[${at}] scene ${scene}:`,
    same: (at) => `The same as [${at}].`,
  },
};

/** Throws on a video without frames. */
export const videoGist = (video: DescribedVideo, language: "zh" | "en"): Gist => {
  const { hash, frames } = video;
  const [first, ...others] = frames;
  if (first === undefined) throw new RangeError("a described video has at least one frame");
  const gists = frames.map(({ gist }) => gist);
  const { normaliser, width, height, captioner, strategyModel } = first.gist;
  return {
    hash,
    strategy: strategies.find((one) => gists.every(({ strategy }) => strategy === one)) ?? "mixed",
    unsure: gists.some(({ unsure }) => unsure),
    text: videoText(video, language),
    flags: gistFlags.filter((flag) => gists.some(({ flags }) => flags.includes(flag))),
    ...{ width, height },
    ...(normaliser === undefined ? {} : { normaliser }),
    ...(others.length === 0 ? {} : { pieces: frames.length }),
    ...{ captioner, strategyModel },
    tokens: gists.reduce((sum, { tokens }) => sum + tokens, 0),
  };
};

const videoText = (
  { durationMs, scenes, hasSound, frames }: DescribedVideo,
  language: "zh" | "en",
): string => {
  const { head, sound, silent, frame, same } = words[language];
  const saidAt = new Map<string, string>();
  const lines = frames.map(({ atMs, scene, gist }) => {
    const at = timecode(atMs);
    const before = saidAt.get(gist.text);
    if (before === undefined) saidAt.set(gist.text, at);
    const text = before === undefined ? gist.text : same(before);
    return `${frame(at, scene + 1)}\n${text}`;
  });
  return [
    `${head(timecode(durationMs), scenes, frames.length)}${language === "en" ? " " : ""}${hasSound ? sound : silent}`,
    ...lines,
  ].join("\n");
};
