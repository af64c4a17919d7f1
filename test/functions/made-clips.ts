/** Clips for tests, made by the very WebAssembly build that reads them, in a thread of its own. */
import { openFfmpeg, runFfmpeg } from "../../functions/_aws/ffmpeg-thread.ts";

/** A scene in which two shades move through each other. */
export interface MadeScene {
  readonly shades: readonly [string, string];
  readonly seconds: number;
}

export interface MadeClips {
  /** The scenes, 160×120, four frames a second, H.264, with a tone of four seconds as AAC. */
  readonly scenes: Uint8Array;
  /** The tone alone. */
  readonly tone: Uint8Array;
  /** Four frames in 4,000 seconds. */
  readonly long: Uint8Array;
  /** One frame of ten million pixels, as MPEG-4. */
  readonly wide: Uint8Array;
}

/** `core` is the path of `@ffmpeg/core`. All are made in one run. */
export const makeClips = async (core: string, scenes: readonly MadeScene[]): Promise<MadeClips> => {
  const inputs = [
    ...scenes.map(
      ({ shades: [first, second], seconds }) =>
        `gradients=s=160x120:r=4:d=${seconds}:n=2:c0=${first}:c1=${second}:seed=1:speed=0.05`,
    ),
    "sine=r=8000:d=4",
    "color=s=32x32:r=1/1000:d=4000",
    "color=s=4112x2400:r=1:d=1",
  ].flatMap((source) => ["-f", "lavfi", "-i", source]);
  const [tone, long, wide] = [0, 1, 2].map((index) => `${scenes.length + index}`);
  const joined = `${scenes.map((_, index) => `[${index}:v]`).join("")}concat=n=${scenes.length}[v]`;
  const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "faststart"];
  const args = [
    ...["-v", "error", ...inputs, "-filter_complex", joined],
    ...["-map", "[v]", "-map", `${tone}:a`, ...h264, "-c:a", "aac", "/scenes.mp4"],
    ...["-map", `${tone}:a`, "-c:a", "aac", "/tone.mp4"],
    ...["-map", `${long}:v`, ...h264, "/long.mp4"],
    ...["-map", `${wide}:v`, "-c:v", "mpeg4", "/wide.mp4"],
  ];
  const outputs = ["scenes.mp4", "tone.mp4", "long.mp4", "wide.mp4"];
  const files = await runFfmpeg(
    await openFfmpeg(core),
    new Uint8Array(),
    { tool: "ffmpeg", args, outputs },
    60_000,
  );
  if (typeof files === "string") throw new Error(`the clips are not made: ffmpeg is ${files}`);
  const made = (name: string): Uint8Array => {
    const bytes = files.get(name);
    if (bytes === undefined || bytes.length === 0) throw new Error(`ffmpeg did not make ${name}`);
    return bytes;
  };
  return {
    scenes: made("scenes.mp4"),
    tone: made("tone.mp4"),
    long: made("long.mp4"),
    wide: made("wide.mp4"),
  };
};
