/** DESCRIBE: turns the pictures of a sample into gists, then hands it to SCORE. */
import { retryDelaySeconds } from "@touchstone/core/domain/pressure/retry-delay";
import { errorCode, errorKind, retryAfterSeconds } from "@touchstone/core/errors";
import type { MessageSender, TemplateStore } from "@touchstone/core/ports";
import type { MediaProblem, PlacedGist } from "@touchstone/core/schema/gist";
import type { DescribeRequest, ScoreRequest } from "@touchstone/core/schema/messages";
import { type Sample, sampleParts } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { maxAttempts } from "@touchstone/core/timing";
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

export const describeSample = async (request: DescribeRequest, ports: DescribePorts): Promise<void> => {
  const template = await ports.templates.pinned(request.template);
  const sample = await unpackSample(request.payload, ports.blobs);
  const { images, problems } = mediaOf(sample, template);
  const attempts: Attempt[] = [];
  for (const ref of images) attempts.push(await attemptPicture(ref, request, template, ports));

  const waiting = attempts.find((attempt) => attempt.kind === "wait" || attempt.kind === "busy");
  if (waiting) return comeBack(request, waiting.kind === "wait" ? waiting.seconds : null, ports);
  if (isLate(attempts, request, template, ports.clock())) return comeBack(request, null, ports);
  const failed = attempts.find((attempt) => attempt.kind === "failed");
  if (failed && request.attempts + 1 < maxAttempts) {
    return comeBack({ ...request, attempts: request.attempts + 1 }, null, ports);
  }
  const { attempts: _spent, ...travelling } = request;
  await ports.score.send([
    {
      ...travelling,
      gists: attempts.flatMap((attempt): PlacedGist[] => (attempt.kind === "gist" ? [attempt.placed] : [])),
      problems: [...problems, ...attempts.flatMap(problemOf)],
    },
  ]);
};

const problemOf = (attempt: Attempt): readonly MediaProblem[] => {
  switch (attempt.kind) {
    case "problem":
      return [attempt.problem];
    case "failed":
      return [{ ref: attempt.ref, kind: "undescribed", message: attempt.message.slice(0, 300) }];
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

const comeBack = (request: DescribeRequest, asked: number | null, ports: DescribePorts): Promise<void> =>
  ports.describe.send(
    [request],
    retryDelaySeconds(request.attempts, ports.timing.retryDelay, asked, ports.random()),
  );
