/** DESCRIBE: turns the pictures of a sample into gists, then hands it to SCORE. */
import { isWaiting } from "@touchstone/core/domain/pressure/call-outcome";
import { retryDelaySeconds } from "@touchstone/core/domain/pressure/retry-delay";
import { errorCode, errorKind, retryAfterSeconds } from "@touchstone/core/errors";
import type { MessageSender, TemplateStore } from "@touchstone/core/ports";
import type { MediaProblem, PlacedGist } from "@touchstone/core/schema/gist";
import type { DescribeRequest, ScoreRequest } from "@touchstone/core/schema/messages";
import { type Sample, sampleParts } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { maxAttempts } from "@touchstone/core/timing";
import { packGists, unpackSample } from "../_batch/payload.ts";
import type { Held } from "../_pressure/endpoint-gate.ts";
import { hasWaitedEnough, putOff } from "../_pressure/put-off.ts";
import { describePicture, type PictureOutcome } from "../_seeing/describe-picture.ts";
import { describeVideo, type VideoPorts } from "../_seeing/describe-video.ts";
import type { MediaType } from "../_seeing/fetch-media.ts";

export interface DescribePorts extends VideoPorts {
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
 * `deadline` is the moment (epoch milliseconds) from which no call may be under way any more.
 */
export const describeSample = async (
  request: DescribeRequest,
  deadline: number,
  ports: DescribePorts,
): Promise<void> => {
  // It has waited before: pictures need not be fetched to learn that the models are still left alone.
  const held = request.waits === undefined || hasWaitedEnough(request, ports) ? null : await lookAhead(ports);
  if (held !== null) return putOff(request, held.seconds, ports.describe, ports);
  const template = await ports.templates.pinned(request.template);
  const sample = await unpackSample(request.payload, ports.blobs);
  const { media, problems } = mediaOf(sample, template);
  const attempts: Attempt[] = [];
  for (const one of media) {
    // A call that the function's end would cut off is paid and lost.
    if (ports.clock() + neededMs(ports) > deadline) {
      attempts.push({ kind: "wait", seconds: null });
      break;
    }
    attempts.push(await attemptMedia(one, request, template, deadline, ports));
  }
  const waiting = attempts.find((attempt) => attempt.kind === "wait" || attempt.kind === "busy");
  const late = isLate(attempts, request, template, ports.clock());
  if (late || (waiting && !hasWaitedEnough(request, ports))) {
    return putOff(request, waiting?.kind === "wait" ? waiting.seconds : null, ports.describe, ports);
  }
  const failed = attempts.some(({ kind }) => kind === "failed" || kind === "wait" || kind === "busy");
  if (failed && request.attempts + 1 < maxAttempts) {
    const delay = retryDelaySeconds(request.attempts, ports.timing.retryDelay, null, ports.random());
    return ports.describe.send([{ ...request, attempts: request.attempts + 1 }], delay);
  }
  const { attempts: _spent, waits: _waited, waitingSince: _since, ...travelling } = request;
  const described = new Set(attempts.flatMap(refOf));
  await ports.score.send([
    {
      ...travelling,
      ...(await packGists(
        attempts.flatMap((attempt): PlacedGist[] => (attempt.kind === "gist" ? [attempt.placed] : [])),
        request.key,
        ports.blobs,
        ports.resultsBucket,
      )),
      problems: [
        ...problems,
        ...attempts.flatMap(problemOf),
        ...media.flatMap(({ ref }) =>
          described.has(ref) ? [] : [undescribed(ref, "the models were busy too long")],
        ),
      ],
    },
  ]);
};

/** One picture: its strategy, then its caption. */
const neededMs = ({ timing }: DescribePorts): number =>
  (timing.modelTimeout.strategy + timing.modelTimeout.captioner) * 1000;

const lookAhead = async ({ gates }: DescribePorts): Promise<Held | null> =>
  (await gates.strategy.look()) ?? (await gates.captioner.look());

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

interface Medium {
  readonly ref: string;
  readonly type: MediaType;
}

/** Pictures and videos to describe, each once; and what the template does not take. A video counts as one picture. */
const mediaOf = (
  sample: Sample,
  template: Template,
): { readonly media: readonly Medium[]; readonly problems: readonly MediaProblem[] } => {
  const found = new Map<string, MediaType>();
  for (const part of sampleParts(sample))
    if (part.type !== "text" && !found.has(part.ref)) found.set(part.ref, part.type);
  const media = [...found].map(([ref, type]) => ({ ref, type }));
  return {
    media: media.slice(0, template.media.maxImages),
    problems: media.slice(template.media.maxImages).map(({ ref }) => ({
      ref,
      kind: "too-large" as const,
      message: `the template takes at most ${template.media.maxImages} pictures a sample`,
    })),
  };
};

const attemptMedia = async (
  { ref, type }: Medium,
  request: DescribeRequest,
  template: Template,
  deadline: number,
  ports: DescribePorts,
): Promise<Attempt> => {
  const picture = { ref, batchFile: request.source, language: template.judge.language, deadline };
  try {
    switch (type) {
      case "image":
        return await describePicture(picture, ports);
      case "video":
        return await describeVideo(picture, neededMs(ports), ports);
      default:
        return type satisfies never;
    }
  } catch (error) {
    if (isWaiting(error)) return { kind: "wait", seconds: retryAfterSeconds(error) };
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
