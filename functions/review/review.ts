/** REVIEW: people claim tasks, keep or give back the lease, and give verdicts. */
import {
  mayClaim,
  shownToReviewer,
  verdictFault,
  verdictMessageOf,
} from "@touchstone/core/domain/review/answer-review";
import { questionFields } from "@touchstone/core/domain/rubric/criterion-field";
import { answeredRubric } from "@touchstone/core/domain/rubric/verdicts";
import { errorKind } from "@touchstone/core/errors";
import type { Clock, MessageSender, ReviewStore, TemplateStore, TokenSource } from "@touchstone/core/ports";
import type { PlacedGist } from "@touchstone/core/schema/gist";
import type { SettleEntry } from "@touchstone/core/schema/messages";
import type { GistPayload, ReviewTask, SamplePayload } from "@touchstone/core/schema/review";
import type { ClaimedReview, ReviewErrorKind } from "@touchstone/core/schema/review-api";
import type { RubricResult } from "@touchstone/core/schema/rubric";
import type { FieldValue, Sample } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";

export interface ReviewPorts {
  readonly reviews: ReviewStore;
  readonly templates: TemplateStore;
  readonly settle: MessageSender<SettleEntry>;
  readonly unpack: (payload: SamplePayload) => Promise<Sample>;
  readonly unpackGists: (payload: GistPayload) => Promise<PlacedGist[]>;
  readonly clock: Clock;
  readonly token: TokenSource;
  readonly complain: (reviewId: string, error: unknown) => void;
  /** How long a claim lasts without a heartbeat. */
  readonly leaseSeconds: number;
}

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly kind: ReviewErrorKind; readonly message: string };

const refuse = (kind: ReviewErrorKind, message: string): Answer<never> => ({ ok: false, kind, message });

/** Candidates looked at before giving up: others claim from the same front of the queue. */
const claimWindow = 20;
const wideWindow = 500;

/** Claims a named task, or the most useful one that nobody holds. The claim is the start of the work, never its end. */
export const claimReview = async (
  wish: {
    readonly reviewer: string;
    readonly reviewId?: string | undefined;
    readonly task?: string | undefined;
  },
  ports: ReviewPorts,
): Promise<Answer<ClaimedReview>> => {
  const now = ports.clock();
  const ids = wish.reviewId === undefined ? await candidates(wish, now, ports) : [wish.reviewId];
  for (const id of ids) {
    const lease = {
      reviewer: wish.reviewer,
      token: ports.token(),
      expiresAt: now + ports.leaseSeconds * 1000,
    };
    const claimed = await ports.reviews.claim(id, lease, now);
    if (claimed.kind === "claimed") {
      if (!mayClaim(claimed.task, wish.reviewer)) {
        await ports.reviews.release(id, lease.token);
        return refuse("not-yours", "you have answered these questions before; somebody else must");
      }
      try {
        return { ok: true, value: await present(claimed.task, ports) };
      } catch (error) {
        if (wish.reviewId !== undefined || errorKind(error) === "transient") {
          await ports.reviews.release(id, lease.token);
          throw error;
        }
        // What nobody can be shown keeps its lease for now, or it would stand before all the others at every claim.
        ports.complain(id, error);
        continue;
      }
    }
    if (wish.reviewId === undefined) continue;
    switch (claimed.kind) {
      case "busy":
        return refuse("lease-lost", "somebody else holds this task");
      case "done":
        return refuse("already-decided", "this task has a verdict already");
      case "missing":
        return refuse("not-found", "there is no such review task");
      default:
        claimed satisfies never;
    }
  }
  return refuse("nothing-open", "no review task is open");
};

/** Ids of the most useful open tasks that this person may answer; further down where others must answer the first ones. */
const candidates = async (
  { reviewer, task }: { readonly reviewer: string; readonly task?: string | undefined },
  now: number,
  { reviews }: ReviewPorts,
): Promise<readonly string[]> => {
  for (const limit of [claimWindow, wideWindow]) {
    const found = await reviews.claimable({ now, limit, ...(task === undefined ? {} : { task }) });
    const own = found.filter((candidate) => mayClaim(candidate, reviewer));
    if (own.length > 0 || found.length < limit) return own.slice(0, claimWindow).map(({ id }) => id);
  }
  return [];
};

/** A task with everything a person needs, so that no second look-up is needed. */
export const present = async (task: ReviewTask, ports: ReviewPorts): Promise<ClaimedReview> => {
  const shown = shownToReviewer(task);
  const template = task.template ? await ports.templates.pinned(task.template) : null;
  const payload = shown.payload ? { sample: await ports.unpack(shown.payload) } : null;
  const { gistsAt: _at, ...inline } = shown;
  const gists = await ports.unpackGists(shown);
  const fields = template ? [...questionFields(template)] : [];
  return { task: { ...inline, payload, gists }, fields, standard: template?.standard ?? "" };
};

export const extendLease = async (
  lease: { readonly reviewId: string; readonly token: string },
  ports: ReviewPorts,
): Promise<Answer<{ readonly expiresAt: number }>> => {
  const now = ports.clock();
  const expiresAt = now + ports.leaseSeconds * 1000;
  return (await ports.reviews.extend(lease.reviewId, lease.token, expiresAt, now))
    ? { ok: true, value: { expiresAt } }
    : refuse("lease-lost", "the lease has run out and somebody else may hold the task");
};

export const releaseReview = async (
  lease: { readonly reviewId: string; readonly token: string },
  ports: ReviewPorts,
): Promise<Answer<{ readonly released: true }>> =>
  (await ports.reviews.release(lease.reviewId, lease.token))
    ? { ok: true, value: { released: true } }
    : refuse("lease-lost", "the task is not held with this token");

/**
 * Takes a verdict. The task's own record comes first, fenced by the token; SETTLE hears of it after that. A repeat by
 * the same reviewer sends to SETTLE again, so a crash between the two loses nothing.
 */
export const giveVerdict = async (
  verdict: {
    readonly reviewId: string;
    readonly token: string;
    readonly values: Readonly<Record<string, FieldValue>>;
    readonly note?: string | undefined;
  },
  ports: ReviewPorts,
): Promise<Answer<{ readonly reviewId: string }>> => {
  const task = await ports.reviews.get(verdict.reviewId);
  if (!task) return refuse("not-found", "there is no such review task");
  if (task.verdict) {
    await ports.settle.send([verdictMessageOf(task, task.verdict)]);
    return refuse("already-decided", `${task.verdict.reviewer} has given the verdict`);
  }
  if (!task.lease) return refuse("lease-lost", "claim the task before giving a verdict");
  const template = task.template ? await ports.templates.pinned(task.template) : null;
  const fault = verdictFault(verdict.values, task.questions, template ? questionFields(template) : []);
  if (fault) return refuse("bad-verdict", fault);
  const given = {
    schema: 1 as const,
    reviewer: task.lease.reviewer,
    values: { ...verdict.values },
    ...(template && template.rubric.length > 0
      ? { rubric: await rubricAfter(task, template, verdict.values, ports) }
      : {}),
    ...(verdict.note === undefined ? {} : { note: verdict.note }),
    at: ports.clock(),
  };
  const outcome = await ports.reviews.submit(task.id, verdict.token, given);
  switch (outcome) {
    case "accepted":
      await ports.settle.send([verdictMessageOf(task, given)]);
      return { ok: true, value: { reviewId: task.id } };
    case "lease-lost":
      return refuse("lease-lost", "somebody else has claimed the task since; your values were not stored");
    case "already":
      return refuse("already-decided", "this task has a verdict already");
    default:
      return outcome satisfies never;
  }
};

/** What the rubric comes to with a person's answers: sample and gists are read only where the machine's part is not at hand. */
const rubricAfter = async (
  task: ReviewTask,
  template: Template,
  values: Readonly<Record<string, FieldValue>>,
  ports: ReviewPorts,
): Promise<RubricResult> => {
  const stored = task.rubric?.criteria ?? [];
  if (stored.length > 0 || !task.payload) return answeredRubric(template, stored, values, null, []);
  const sample = await ports.unpack(task.payload);
  return answeredRubric(template, stored, values, sample, await ports.unpackGists(task));
};
