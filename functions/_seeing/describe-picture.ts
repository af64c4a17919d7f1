/** Describes one picture: fetch, normalise, choose a strategy, caption, check; paid once per content. */

import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { type CaptionLanguage, captionPrompt } from "@touchstone/core/domain/describe/caption-prompt";
import { gistDigest } from "@touchstone/core/domain/describe/gist-digest";
import { faultProblem } from "@touchstone/core/domain/describe/picture-fault";
import type { GistStore, NormalisedPicture, PictureNormaliser, TokenSource } from "@touchstone/core/ports";
import { type Gist, type MediaProblem, type PlacedGist, strategies } from "@touchstone/core/schema/gist";
import type { ObjectRef } from "@touchstone/core/schema/identity";
import { gistKey, pictureKey } from "../_batch/staged.ts";
import { fetchMedia, type MediaPorts } from "./fetch-media.ts";
import { type GistPorts, makeGist } from "./make-gist.ts";

export interface PicturePorts extends GistPorts, MediaPorts {
  readonly gists: GistStore;
  readonly normaliser: PictureNormaliser;
  readonly token: TokenSource;
  readonly resultsBucket: string;
}

export type PictureOutcome =
  | { readonly kind: "gist"; readonly placed: PlacedGist }
  | { readonly kind: "problem"; readonly problem: MediaProblem }
  /** Another worker is describing the same picture right now. */
  | { readonly kind: "busy" };

/** Raised whenever the normaliser's output or the checks on captions change, since gists are cached by it. */
const normaliserVersion = "n4";
const maxPictureBytes = 32 * 1024 * 1024;

/** What is to be described, and until when (epoch milliseconds). */
export interface PictureRequest {
  readonly ref: string;
  readonly batchFile: ObjectRef;
  readonly language: "zh" | "en";
  readonly deadline: number;
}

/** Errors of the models are thrown: the caller decides whether to wait or to count an attempt. */
export const describePicture = async (
  request: PictureRequest,
  ports: PicturePorts,
): Promise<PictureOutcome> => {
  const fetched = await fetchMedia({ ...request, type: "image", maxBytes: maxPictureBytes }, ports);
  if (!(fetched instanceof Uint8Array)) return { kind: "problem", problem: fetched };
  return describeBytes(fetched, request, ports);
};

/** The same for a picture that is here already, such as a frame of a video. */
export const describeBytes = async (
  fetched: Uint8Array,
  { ref, language, deadline }: Omit<PictureRequest, "batchFile">,
  ports: PicturePorts,
): Promise<PictureOutcome> => {
  const hash = sha256(fetched);
  const cacheKey = `${hash}:${normaliserVersion}:${describersVersion(language, ports)}`;
  const token = ports.token();
  // Before the picture is decoded: a batch that repeats one a thousand times decodes it once, too.
  const lease = await ports.gists.lease(cacheKey, token, ports.clock(), ports.timing.lease.gist);
  if (lease.kind === "busy") return { kind: "busy" };
  try {
    const staged = { bucket: ports.resultsBucket, key: pictureKey({ hash, normaliser: normaliserVersion }) };
    const isNew = (await ports.blobs.head(staged)) === null;
    if (lease.kind === "ready" && !isNew) return { kind: "gist", placed: { ref, gist: lease.gist } };
    const normalised = await ports.normaliser.normalise(fetched);
    if (normalised.kind !== "picture") {
      await ports.gists.release(cacheKey, token);
      const { fault: name, detail } = normalised;
      return { kind: "problem", problem: faultProblem(ref, { name, detail }) };
    }
    const { picture } = normalised;
    if (isNew) await stagePicture(hash, picture, ports);
    if (lease.kind === "ready") {
      // The cache keeps a gist longer than staging does, and a prompt is rebuilt from what is staged.
      await stageGist(lease.gist, ports);
      return { kind: "gist", placed: { ref, gist: lease.gist } };
    }
    const gist = await makeGist({ hash, normaliser: normaliserVersion, picture, language, deadline }, ports);
    await stageGist(gist, ports);
    await ports.gists.put(cacheKey, gist);
    return { kind: "gist", placed: { ref, gist } };
  } catch (error) {
    await ports.gists.release(cacheKey, token);
    throw error;
  }
};

/** Other models make other gists, and so does another wording of the captioner's prompts. */
const describersVersion = (
  language: CaptionLanguage,
  { captioner, strategy, textReader }: GistPorts,
): string =>
  sha256(
    JSON.stringify([
      strategies.map((style) => captionPrompt(style, language)),
      captioner.model,
      strategy.version,
      textReader?.model ?? null,
    ]),
  ).slice(0, 24);

/** Under its digest, so that it is never another gist, whatever becomes of the cache. */
export const stageGist = (gist: Gist, { blobs, resultsBucket }: PicturePorts): Promise<void> =>
  blobs.write(
    { bucket: resultsBucket, key: gistKey(gistDigest(gist)) },
    JSON.stringify(gist),
    "application/json",
  );

/** The first tile last: its presence says that all are there. */
const stagePicture = async (
  hash: string,
  picture: NormalisedPicture,
  { blobs, resultsBucket }: PicturePorts,
): Promise<void> => {
  const tiles = [...[picture, ...picture.more].entries()].reverse();
  for (const [index, { bytes, mediaType }] of tiles) {
    const key = pictureKey({ hash, normaliser: normaliserVersion }, index);
    await blobs.write({ bucket: resultsBucket, key }, bytes, mediaType);
  }
};
