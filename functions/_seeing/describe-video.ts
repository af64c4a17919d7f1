/** Describes a video by its key frames, each a picture like any other; paid once per content, and goes on where it left off. */
import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { chooseKeyFrames } from "@touchstone/core/domain/describe/key-frames";
import { type DescribedFrame, videoGist } from "@touchstone/core/domain/describe/video-gist";
import type { SampledVideo, VideoReader } from "@touchstone/core/ports";
import type { MediaProblem } from "@touchstone/core/schema/gist";
import { type KeptFrames, keptFramesSchema } from "@touchstone/core/schema/kept-frames";
import { frameKey, framesKey, pictureKey } from "../_batch/staged.ts";
import {
  describeBytes,
  type PictureOutcome,
  type PicturePorts,
  type PictureRequest,
  stageGist,
} from "./describe-picture.ts";
import { fetchMedia } from "./fetch-media.ts";

export interface VideoPorts extends PicturePorts {
  /** Absent where no decoder is installed. */
  readonly videos?: VideoReader | undefined;
}

export type VideoDescription =
  | PictureOutcome
  /** Time ran out between two frames; those that are described stay described. */
  | { readonly kind: "wait"; readonly seconds: null };

/** The decoder holds a file three times over. */
const maxVideoBytes = 64 * 1024 * 1024;
export const mostKeyFrames = 12;
const maxFrameBytes = 8 * 1024 * 1024;

/** Errors of the models are thrown, as for a picture. `frameMs`: what one frame may take. */
export const describeVideo = async (
  request: PictureRequest,
  frameMs: number,
  ports: VideoPorts,
): Promise<VideoDescription> => {
  const { ref, language } = request;
  if (ports.videos === undefined) return problemOf(ref, "unsupported", noDecoder[language]);
  const bytes = await fetchMedia({ ...request, type: "video", maxBytes: maxVideoBytes }, ports);
  if (!(bytes instanceof Uint8Array)) return { kind: "problem", problem: bytes };
  const hash = sha256(bytes);
  const kept =
    (await keptFrames(hash, ports)) ?? (await keepFrames(hash, bytes, request, ports.videos, ports));
  if ("kind" in kept) return problemOf(ref, kept.kind, kept.message);
  const frames: DescribedFrame[] = [];
  for (const [index, { atMs, scene }] of kept.frames.entries()) {
    if (ports.clock() + frameMs > request.deadline) return { kind: "wait", seconds: null };
    const still = await ports.blobs.read(
      { bucket: ports.resultsBucket, key: frameKey(hash, index) },
      maxFrameBytes,
    );
    const outcome = await describeBytes(still.bytes, request, ports);
    if (outcome.kind !== "gist") return outcome;
    frames.push({ atMs, scene, gist: outcome.placed.gist });
  }
  const gist = videoGist({ hash, ...kept, frames }, language);
  await stageGist(gist, ports);
  const isNew = (await ports.blobs.head({ bucket: ports.resultsBucket, key: pictureKey(gist) })) === null;
  if (isNew) await stageFrames(hash, frames, ports);
  return { kind: "gist", placed: { ref, gist } };
};

const noDecoder = {
  zh: "这里没有安装视频解码器；请把关键帧作为图片提交",
  en: "no decoder of videos is installed here; send the key frames as pictures",
} as const;

const problemOf = (ref: string, kind: MediaProblem["kind"], message: string): PictureOutcome => ({
  kind: "problem",
  problem: { ref, kind, message: message.slice(0, 500) },
});

/** Null where the video has not been looked through yet. */
const keptFrames = async (hash: string, { blobs, resultsBucket }: VideoPorts): Promise<KeptFrames | null> => {
  const place = { bucket: resultsBucket, key: framesKey(hash) };
  if ((await blobs.head(place)) === null) return null;
  const { bytes } = await blobs.read(place, maxFrameBytes);
  return keptFramesSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
};

/** Decoding a video takes long: its key frames are kept, so that a second turn need not do it again. The list comes last. */
const keepFrames = async (
  hash: string,
  bytes: Uint8Array,
  { language, deadline }: PictureRequest,
  videos: VideoReader,
  { blobs, resultsBucket: bucket }: VideoPorts,
): Promise<KeptFrames | { readonly kind: MediaProblem["kind"]; readonly message: string }> => {
  const outcome = await videos.read(bytes, language, deadline);
  if (outcome.kind !== "video") return outcome;
  const { video } = outcome;
  const { frames, scenes } = chooseKeyFrames(video.frames, mostKeyFrames);
  const stills = await stillsOf(video, frames);
  for (const [index, still] of stills.entries())
    await blobs.write({ bucket, key: frameKey(hash, index) }, still, "image/png");
  const kept: KeptFrames = {
    durationMs: video.durationMs,
    hasSound: video.hasSound,
    scenes,
    frames: [...frames],
  };
  await blobs.write({ bucket, key: framesKey(hash) }, JSON.stringify(kept), "application/json");
  return kept;
};

const stillsOf = async (
  video: SampledVideo,
  frames: readonly { readonly atMs: number }[],
): Promise<readonly Uint8Array[]> => {
  const stills = await video.stills(frames.map(({ atMs }) => atMs));
  if (stills.length !== frames.length)
    throw new Error(`of ${frames.length} key frames the decoder gave ${stills.length}`);
  return stills;
};

/** Where judge and reviewer look for the pieces of a picture; of a long frame its first piece. */
const stageFrames = async (
  hash: string,
  frames: readonly DescribedFrame[],
  { blobs, resultsBucket: bucket }: VideoPorts,
): Promise<void> => {
  for (const [index, { gist }] of [...frames.entries()].reverse()) {
    const { bytes, head } = await blobs.read({ bucket, key: pictureKey(gist) }, maxFrameBytes);
    const key = pictureKey({ hash, normaliser: gist.normaliser }, index);
    await blobs.write({ bucket, key }, bytes, head.contentType ?? "image/jpeg");
  }
};
