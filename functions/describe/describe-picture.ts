/** Describes one picture: fetch, normalise, choose a strategy, caption, check; paid once per content. */

import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { captionPrompt } from "@touchstone/core/domain/describe/caption-prompt";
import { gistFlagsOf } from "@touchstone/core/domain/describe/check-gist";
import { gistDigest } from "@touchstone/core/domain/describe/gist-digest";
import { resolveMediaRef } from "@touchstone/core/domain/intake/upload-key";
import { errorCode, transient } from "@touchstone/core/errors";
import type {
  BlobStore,
  ChatModel,
  Clock,
  GistStore,
  NormalisedPicture,
  PictureNormaliser,
  StrategyModel,
  TokenSource,
} from "@touchstone/core/ports";
import type { Gist, MediaProblem, PlacedGist } from "@touchstone/core/schema/gist";
import type { ObjectRef } from "@touchstone/core/schema/identity";
import type { Timing } from "@touchstone/core/timing";
import { gistKey, pictureKey } from "../_batch/staged.ts";
import { callSignal } from "../_pressure/call-signal.ts";
import { type EndpointGate, throughGate } from "../_pressure/endpoint-gate.ts";

export interface PicturePorts {
  readonly blobs: BlobStore;
  readonly gists: GistStore;
  readonly normaliser: PictureNormaliser;
  readonly strategy: StrategyModel;
  readonly captioner: ChatModel;
  readonly gates: { readonly strategy: EndpointGate; readonly captioner: EndpointGate };
  /** Reads a picture from an allow-listed host; a refusal is a permanent error. */
  readonly fetchPicture: (url: string, maxBytes: number) => Promise<Uint8Array>;
  readonly clock: Clock;
  readonly token: TokenSource;
  readonly timing: Timing;
  readonly resultsBucket: string;
}

export type PictureOutcome =
  | { readonly kind: "gist"; readonly placed: PlacedGist }
  | { readonly kind: "problem"; readonly problem: MediaProblem }
  /** Another worker is describing the same picture right now. */
  | { readonly kind: "busy" };

/** Raised whenever the normaliser's output changes, since gists are cached by it. */
const normaliserVersion = "n1";
const maxPictureBytes = 32 * 1024 * 1024;
const captionTokens = 1500;

/** What is to be described, and until when (epoch milliseconds). */
export interface PictureRequest {
  readonly ref: string;
  readonly batchFile: ObjectRef;
  readonly language: "zh" | "en";
  readonly deadline: number;
}

/** Errors of the models are thrown: the caller decides whether to wait or to count an attempt. */
export const describePicture = async (
  { ref, batchFile, language, deadline }: PictureRequest,
  ports: PicturePorts,
): Promise<PictureOutcome> => {
  const fetched = await fetchBytes(ref, batchFile, ports);
  if (!(fetched instanceof Uint8Array)) return { kind: "problem", problem: fetched };
  const normalised = await ports.normaliser.normalise(fetched);
  if (normalised.kind !== "picture") {
    return { kind: "problem", problem: { ref, kind: normalised.kind, message: normalised.message } };
  }
  const { picture } = normalised;
  const hash = sha256(fetched);
  const staged = { bucket: ports.resultsBucket, key: pictureKey(hash) };
  const isNew = (await ports.blobs.head(staged)) === null;
  if (isNew) await ports.blobs.write(staged, picture.bytes, picture.mediaType);
  const cacheKey = `${hash}:${normaliserVersion}:${language}:${ports.captioner.model}`;
  const token = ports.token();
  const lease = await ports.gists.lease(cacheKey, token, ports.clock(), ports.timing.lease.gist);
  if (lease.kind === "busy") return { kind: "busy" };
  if (lease.kind === "ready") {
    // The cache keeps a gist longer than staging does, and a prompt is rebuilt from what is staged.
    if (isNew) await stageGist(lease.gist, ports);
    return { kind: "gist", placed: { ref, gist: lease.gist } };
  }
  try {
    const gist = await makeGist(hash, picture, language, deadline, ports);
    await stageGist(gist, ports);
    await ports.gists.put(cacheKey, gist);
    return { kind: "gist", placed: { ref, gist } };
  } catch (error) {
    await ports.gists.release(cacheKey, token);
    throw error;
  }
};

/** Under its digest, so that it is never another gist, whatever becomes of the cache. */
const stageGist = (gist: Gist, { blobs, resultsBucket }: PicturePorts): Promise<void> =>
  blobs.write(
    { bucket: resultsBucket, key: gistKey(gistDigest(gist)) },
    JSON.stringify(gist),
    "application/json",
  );

const makeGist = async (
  hash: string,
  picture: NormalisedPicture,
  language: "zh" | "en",
  deadline: number,
  ports: PicturePorts,
): Promise<Gist> => {
  const { gates, clock } = ports;
  const strategyMs = ports.timing.modelTimeout.strategy * 1000;
  const captionerMs = ports.timing.modelTimeout.captioner * 1000;
  const latest = deadline - captionerMs;
  const choice = await throughGate(gates.strategy, hash, latest - strategyMs, () =>
    ports.strategy.choose(picture.bytes, callSignal(strategyMs, deadline, clock)),
  );
  const prompt = captionPrompt(choice.strategy, language);
  const url = `data:${picture.mediaType};base64,${Buffer.from(picture.bytes).toString("base64")}`;
  const completion = await throughGate(gates.captioner, hash, latest, () =>
    ports.captioner.complete(
      {
        messages: [
          { role: "system", content: prompt.system },
          {
            role: "user",
            content: [
              { type: "image_url", image_url: { url } },
              { type: "text", text: prompt.user },
            ],
          },
        ],
        temperature: 0,
        max_tokens: captionTokens,
      },
      callSignal(captionerMs, deadline, clock),
    ),
  );
  const answer = completion.choices?.[0];
  const text = answer?.message?.content;
  if (typeof text !== "string") throw transient("bad-answer", "the captioner gave no text");
  return {
    hash,
    strategy: choice.strategy,
    unsure: choice.unsure,
    text: text.trim(),
    flags: [...gistFlagsOf(text, answer?.finish_reason === "length")],
    width: picture.width,
    height: picture.height,
    captioner: completion.model ?? ports.captioner.model,
    strategyModel: choice.model,
    tokens: completion.usage?.completion_tokens ?? 0,
  };
};

const fetchBytes = async (
  ref: string,
  batchFile: ObjectRef,
  ports: PicturePorts,
): Promise<Uint8Array | MediaProblem> => {
  const place = resolveMediaRef(ref, batchFile);
  try {
    switch (place.kind) {
      case "bad":
        return { ref, kind: "refused", message: place.message };
      case "object":
        // Only the bucket that the batch came from is readable: a sample must not choose what we open.
        if (place.bucket !== batchFile.bucket) {
          return {
            ref,
            kind: "refused",
            message: `bucket "${place.bucket}" is not one that media may come from`,
          };
        }
        return (await ports.blobs.read({ bucket: place.bucket, key: place.key }, maxPictureBytes)).bytes;
      case "url":
        return await ports.fetchPicture(place.url, maxPictureBytes);
      default:
        return place satisfies never;
    }
  } catch (error) {
    switch (errorCode(error)) {
      case "object-missing":
        return { ref, kind: "missing", message: "no such object; put the picture beside the batch file" };
      case "object-too-large":
        return { ref, kind: "too-large", message: `a picture has at most ${maxPictureBytes} bytes` };
      case "refused":
        return { ref, kind: "refused", message: error instanceof Error ? error.message : "refused" };
      default:
        throw error;
    }
  }
};
