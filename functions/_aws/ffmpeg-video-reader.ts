/** The video reader port on ffmpeg's WebAssembly build, a program of its own that may be left out; DESCRIBE calls it. */
import { createRequire } from "node:module";
import { permanent, transient } from "@touchstone/core/errors";
import type { Clock, SampledVideo, VideoOutcome, VideoReader } from "@touchstone/core/ports";
import { type FfmpegPass, openFfmpeg, runFfmpeg } from "./ffmpeg-thread.ts";
import { isObject, parseJson } from "./untrusted-json.ts";

/** Signatures are pictures of this size, three bytes a pixel. */
const signature = { width: 16, height: 9 } as const;
const signatureBytes = signature.width * signature.height * 3;
/** Two looks a second; fewer in a long video. */
const rate = 2;
const mostSamples = 1_200;
const longestMs = 60 * 60_000;
/** Beyond this many pixels only key pictures of the encoder are decoded, of which there is one at every cut. */
const mostPixels = 2e9;
/** Of one frame: 4K, in cinemas too. A small file can unfold into frames that no memory holds. */
const mostFramePixels = 4_096 * 2_304;
/** Of what a file says it holds, a smaller share is a file that was cut off. */
const leastShare = 0.8;
const longestSide = 1_280;

/** Where the package lies that decodes; null where it is not installed. Nothing of it is read before a video comes. */
export const findFfmpeg = (): string | null => {
  try {
    return createRequire(import.meta.url).resolve("@ffmpeg/core");
  } catch {
    return null;
  }
};

/** `core` as findFfmpeg gives it; `timeoutMs` is for each of the three passes through a video. */
export const ffmpegVideoReader = (core: string, timeoutMs: number, clock: Clock): VideoReader => {
  const inTurn = oneAtATime();
  let ffmpeg: ReturnType<typeof openFfmpeg> | undefined;
  return {
    read: (bytes, language, deadline) =>
      readVideo(language, timeoutMs, (pass) =>
        inTurn(async () => {
          if (clock() + timeoutMs > deadline)
            throw transient("held", "the decoder was busy with other videos");
          ffmpeg ??= openFfmpeg(core);
          return runFfmpeg(await ffmpeg, bytes, pass, timeoutMs);
        }),
      ),
  };
};

/** Memory has room for one decoder. */
const oneAtATime = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
};

const readVideo = async (
  language: "zh" | "en",
  timeoutMs: number,
  run: (pass: FfmpegPass) => ReturnType<typeof runFfmpeg>,
): Promise<VideoOutcome> => {
  const say = words[language];
  const probed = await run({ tool: "ffprobe", args: probeArgs, outputs: ["probe.json"] });
  if (probed === "too-slow") return { kind: "too-large", message: say.tooSlow(timeoutMs / 1000) };
  const track = probed === "broken" ? null : readProbe(probed.get("probe.json"));
  if (track === null) return { kind: "unreadable", message: say.noVideo };
  if (track.durationMs > longestMs) return { kind: "too-large", message: say.tooLong };
  if (track.width * track.height > mostFramePixels) return { kind: "too-large", message: say.tooWide };
  const speed = Math.min(rate, mostSamples / (track.durationMs / 1000));
  const sampled = await run({ tool: "ffmpeg", args: sampleArgs(track, speed), outputs: ["signatures"] });
  if (sampled === "too-slow") return { kind: "too-large", message: say.tooSlow(timeoutMs / 1000) };
  if (sampled === "broken") return { kind: "unreadable", message: say.broken };
  const frames = framesOf(sampled.get("signatures") ?? new Uint8Array(), speed);
  if (frames.length === 0) return { kind: "unsupported", message: say.notDecoded(track.codec) };
  const expected = Math.floor((track.durationMs / 1000) * speed);
  if (!isSkipped(track) && frames.length < expected * leastShare)
    return { kind: "unreadable", message: say.cutOff };
  const video: SampledVideo = {
    durationMs: track.durationMs,
    hasSound: track.hasSound,
    frames,
    async stills(times) {
      const numbers = times.map((atMs) => Math.round((atMs * speed) / 1000));
      const outputs = numbers.map((_, index) => `still-${index + 1}.png`);
      const stills = await run({ tool: "ffmpeg", args: stillArgs(track, speed, numbers), outputs });
      if (stills === "too-slow") throw transient("timed-out", say.tooSlow(timeoutMs / 1000));
      if (stills === "broken") throw permanent("bad-file", say.broken);
      return outputs.flatMap((name) => stills.get(name) ?? []);
    },
  };
  return { kind: "video", video };
};

interface Track {
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  readonly framesPerSecond: number;
  readonly hasSound: boolean;
}

/** What is too large is still told by its size, unless it is larger by far: even a look at the file decodes a frame. */
const probeArgs = [
  ...["-v", "error", "-max_pixels", String(4 * mostFramePixels), "-of", "json"],
  ...["-i", "/input", "-o", "/probe.json", "-show_entries"],
  "format=duration:stream=codec_type,codec_name,width,height,avg_frame_rate",
];

/** Null where the file holds no pictures that move, or nothing that can be read. */
const readProbe = (file: Uint8Array | undefined): Track | null => {
  const found = parseJson(Buffer.from(file ?? []).toString("utf8"));
  if (!isObject(found) || !Array.isArray(found.streams) || !isObject(found.format)) return null;
  const streams = found.streams.filter(isObject);
  const video = streams.find((stream) => stream.codec_type === "video");
  const durationMs = Math.round(Number(found.format.duration) * 1000);
  const [width, height] = [Number(video?.width), Number(video?.height)];
  if (!(durationMs > 0 && width > 0 && height > 0)) return null;
  const [frames, seconds] = String(video?.avg_frame_rate).split("/").map(Number);
  const framesPerSecond = (frames ?? 0) / (seconds ?? 1);
  const hasSound = streams.some((stream) => stream.codec_type === "audio");
  return {
    ...{ width, height, durationMs, hasSound },
    codec: String(video?.codec_name).slice(0, 20),
    framesPerSecond: framesPerSecond > 0 && framesPerSecond < 1_000 ? framesPerSecond : 30,
  };
};

/** Both passes must number the frames alike. Rounding up gives each number the frame that stands at its time. */
const inputArgs = (track: Track): readonly string[] => [
  ...["-v", "error", ...(isSkipped(track) ? ["-skip_frame", "nokey"] : [])],
  // Frames need not be as large as the file says they are.
  ...["-max_pixels", String(mostFramePixels), "-i", "/input", "-an", "-sn"],
];
/** Only key pictures are decoded; nothing follows the last of them, so that the end cannot be missed. */
const isSkipped = ({ width, height, durationMs, framesPerSecond }: Track): boolean =>
  width * height * framesPerSecond * (durationMs / 1000) > mostPixels;
const evenly = (speed: number): string => `fps=${speed.toFixed(6)}:start_time=0:round=up`;

const sampleArgs = (track: Track, speed: number): readonly string[] => [
  ...inputArgs(track),
  ...["-vf", `${evenly(speed)},scale=${signature.width}:${signature.height}:flags=area`],
  ...["-f", "rawvideo", "-pix_fmt", "rgb24", "/signatures"],
];

const stillArgs = (track: Track, speed: number, numbers: readonly number[]): readonly string[] => {
  const chosen = numbers.map((number) => `eq(n,${number})`).join("+");
  const smaller = `scale=w='min(${longestSide},iw)':h='min(${longestSide},ih)':force_original_aspect_ratio=decrease`;
  return [
    ...inputArgs(track),
    ...["-vf", `${evenly(speed)},select='${chosen}',${smaller}`],
    ...["-fps_mode", "passthrough", "-c:v", "png", "-f", "image2", "/still-%d.png"],
  ];
};

const framesOf = (signatures: Uint8Array, speed: number): SampledVideo["frames"] =>
  Array.from({ length: Math.floor(signatures.length / signatureBytes) }, (_, index) => ({
    atMs: Math.round((index * 1000) / speed),
    bytes: signatures.subarray(index * signatureBytes, (index + 1) * signatureBytes),
  }));

const words = {
  zh: {
    noVideo: "文件不是能读取的视频（或只有声音）；请上传 MP4、MOV 或 WebM",
    tooLong: "视频超过 60 分钟；请截取要看的部分",
    tooWide: "视频画面大于 4096×2304；请降低分辨率",
    tooSlow: (seconds: number) => `视频解码超过 ${seconds} 秒；请降低分辨率或截短`,
    cutOff: "视频文件不完整，后半部分缺失；请重新上传",
    broken: "视频解码中断，文件可能已损坏；请重新导出为 MP4（H.264）",
    notDecoded: (codec: string) => `视频编码 ${codec} 在这里无法解码；请转成 MP4（H.264）`,
  },
  en: {
    noVideo: "the file is no video that can be read, or holds sound alone; send MP4, MOV or WebM",
    tooLong: "the video is longer than 60 minutes; cut out the part that matters",
    tooWide: "the video's frames are larger than 4096×2304; make it smaller",
    tooSlow: (seconds: number) => `the video took over ${seconds} s to decode; make it smaller or shorter`,
    cutOff: "the video is cut off, its end is missing; send it again",
    broken: "the video broke the decoder, so it may be damaged; export it again as MP4 (H.264)",
    notDecoded: (codec: string) => `videos coded as ${codec} are not decoded here; convert it to MP4 (H.264)`,
  },
} as const;
