/** DESCRIBE: turns the pictures of a sample into gists, then hands it to SCORE. */
import { retryDelaySeconds } from "@touchstone/core/domain/pressure/retry-delay";
import { errorCode, errorKind, retryAfterSeconds } from "@touchstone/core/errors";
import type { MessageSender, TemplateStore } from "@touchstone/core/ports";
import type { MediaProblem, PlacedGist } from "@touchstone/core/schema/gist";
import type { DescribeRequest, ScoreRequest } from "@touchstone/core/schema/messages";
import { type Sample, sampleParts } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { maxAttempts, maxWaits } from "@touchstone/core/timing";
import { unpackSample } from "../_batch/payload.ts";
import { describePicture, type PictureOutcome, type PicturePorts } from "./describe-picture.ts";

export interface DescribePorts extends PicturePorts {
  readonly templates: TemplateStore;
  readonly describe: MessageSender<DescribeRequest>;
  readonly score: MessageSender<ScoreRequest>;
  /** From 0 up to 1, for jitter. */
  readonly random: () => number;
}

type Attempt =
  | PictureOutcome
  /** The model asked us to wait: no attempt is used up. */
  | { readonly kind: "wait"; readonly seconds: number | null }
  | { readonly kind: "failed"; readonly ref: string; readonly message: string };

/**
 * Pictures are described one after the other, each paid once, so a sample with many goes on where it left off.
 * `deadline` is the moment (epoch milliseconds) at which the function is stopped.
 */
export const describeSample = async (
  request: DescribeRequest,
  deadline: number,
  ports: DescribePorts,
): Promise<void> => {
  const template = await ports.templates.pinned(request.template);
  const sample = await unpackSample(request.payload, ports.blobs);
  const { images, problems } = mediaOf(sample, template);
  const attempts: Attempt[] = [];
  for (const ref of images) {
    // A call that the function's end would cut off is paid and lost.
    if (ports.clock() + ports.timing.modelTimeout.captioner * 1000 > deadline) {
      attempts.push({ kind: "wait", seconds: null });
      break;
    }
    attempts.push(await attemptPicture(ref, request, template, ports));
  }
  const waits = request.waits ?? 0;
  const waiting = attempts.find((attempt) => attempt.kind === "wait" || attempt.kind === "busy");
  const late = isLate(attempts, request, template, ports.clock());
  if ((waiting || late) && waits < maxWaits) {
    const asked = waiting?.kind === "wait" ? waiting.seconds : null;
    return comeBack({ ...request, waits: waits + 1 }, waits, asked, ports);
  }
  const failed = attempts.some(({ kind }) => kind === "failed" || kind === "wait" || kind === "busy");
  if (failed && request.attempts + 1 < maxAttempts) {
    return comeBack({ ...request, attempts: request.attempts + 1 }, request.attempts, null, ports);
  }
  const { attempts: _spent, waits: _waited, ...travelling } = request;
  const described = new Set(attempts.flatMap(refOf));
  await ports.score.send([
    {
      ...travelling,
      gists: attempts.flatMap((attempt): PlacedGist[] => (attempt.kind === "gist" ? [attempt.placed] : [])),
      problems: [
        ...problems,
        ...attempts.flatMap(problemOf),
        ...images.flatMap((ref) =>
          described.has(ref) ? [] : [undescribed(ref, "the models were busy too long")],
        ),
      ],
    },
  ]);
};

const undescribed = (ref: string, message: string): MediaProblem => ({
  ref,
  kind: "undescribed",
  message: message.slice(0, 300),
});

/** The picture that an attempt came to an end with. */
const refOf = (attempt: Attempt): readonly string[] => {
  switch (attempt.kind) {
    case "gist":
      return [attempt.placed.ref];
    case "problem":
      return [attempt.problem.ref];
    case "failed":
      return [attempt.ref];
    case "busy":
    case "wait":
      return [];
    default:
      return attempt satisfies never;
  }
};

const problemOf = (attempt: Attempt): readonly MediaProblem[] => {
  switch (attempt.kind) {
    case "problem":
      return [attempt.problem];
    case "failed":
      return [undescribed(attempt.ref, attempt.message)];
    case "gist":
    case "busy":
    case "wait":
      return [];
    default:
      return attempt satisfies never;
  }
};

/** Pictures to describe, each once; and what the template or this hop cannot take. */
const mediaOf = (
  sample: Sample,
  template: Template,
): { readonly images: readonly string[]; readonly problems: readonly MediaProblem[] } => {
  const parts = sampleParts(sample);
  const refs = [...new Set(parts.flatMap((part) => (part.type === "image" ? [part.ref] : [])))];
  const videos = [...new Set(parts.flatMap((part) => (part.type === "video" ? [part.ref] : [])))];
  const over = refs.slice(template.media.maxImages);
  return {
    images: refs.slice(0, template.media.maxImages),
    problems: [
      ...over.map((ref) => ({
        ref,
        kind: "too-large" as const,
        message: `the template takes at most ${template.media.maxImages} pictures a sample`,
      })),
      ...videos.map((ref) => ({
        ref,
        kind: "unsupported" as const,
        message: "video is not described yet; send its key frames as pictures",
      })),
    ],
  };
};

const attemptPicture = async (
  ref: string,
  request: DescribeRequest,
  template: Template,
  ports: DescribePorts,
): Promise<Attempt> => {
  try {
    return await describePicture(ref, request.source, template.judge.language, ports);
  } catch (error) {
    if (errorCode(error) === "throttled") return { kind: "wait", seconds: retryAfterSeconds(error) };
    const message = error instanceof Error ? error.message : "the picture could not be described";
    if (errorKind(error) === "transient" || errorCode(error) !== null)
      return { kind: "failed", ref, message };
    throw error;
  }
};

/** Media may arrive after its batch file, within the limit of the template. */
const isLate = (
  attempts: readonly Attempt[],
  request: DescribeRequest,
  template: Template,
  now: number,
): boolean =>
  now - request.arrivedAt < template.media.waitSeconds * 1000 &&
  attempts.some((attempt) => attempt.kind === "problem" && attempt.problem.kind === "missing");

const comeBack = (
  request: DescribeRequest,
  turn: number,
  asked: number | null,
  ports: DescribePorts,
): Promise<void> =>
  ports.describe.send([request], retryDelaySeconds(turn, ports.timing.retryDelay, asked, ports.random()));
