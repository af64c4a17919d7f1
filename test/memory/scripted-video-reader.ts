/** The video reader port in memory: knows one video, of scenes with their lengths; a still is a picture of its moment. */
import type { SampledVideo, VideoReader } from "@touchstone/core/ports";

export interface ScriptedVideo {
  /** Seconds of each scene; every scene has another colour. */
  readonly scenes: readonly number[];
  readonly hasSound: boolean;
}

export interface ScriptedVideoReader extends VideoReader {
  readonly reads: () => number;
}

/** Files that begin with `video` are that video, all others are unreadable. */
export const scriptedVideoReader = ({ scenes, hasSound }: ScriptedVideo): ScriptedVideoReader => {
  let reads = 0;
  const colours = scenes.flatMap((seconds, scene) => new Array<number>(seconds * 2).fill((scene * 83) % 256));
  const video: SampledVideo = {
    durationMs: colours.length * 500,
    hasSound,
    frames: colours.map((colour, index) => ({ atMs: index * 500, bytes: new Uint8Array(27).fill(colour) })),
    stills: async (times) => times.map((atMs) => Uint8Array.from([0x89, atMs & 255, atMs >> 8])),
  };
  return {
    reads: () => reads,
    async read(bytes) {
      reads += 1;
      return new TextDecoder().decode(bytes).startsWith("video")
        ? { kind: "video", video }
        : { kind: "unreadable", message: "the file is no video" };
    },
  };
};
