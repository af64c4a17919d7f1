/** What the shell must provide. Types only; each port has a memory version and one contract suite. */
import type { ChatCompletion, ChatRequest } from "./schema/chat.ts";
import type { Gist, PictureFault, PictureNote, StrategyChoice } from "./schema/gist.ts";
import type { BatchId, ObjectRef, SampleKey, TaskId } from "./schema/identity.ts";
import type { BatchRecord, SplitRecord } from "./schema/ledger.ts";
import type { Breaker, BudgetKey, CallBudget, EndpointName } from "./schema/pressure.ts";
import type { Result } from "./schema/result.ts";
import type { ReviewTask, Verdict } from "./schema/review.ts";
import type { Sample } from "./schema/sample.ts";
import type { Template, TemplatePin } from "./schema/template.ts";
import type { FamilyTrust } from "./schema/trust.ts";
import type { Watch } from "./schema/watch.ts";

/** Epoch milliseconds. */
export type Clock = () => number;
/** An unguessable token, new at every call. */
export type TokenSource = () => string;

export interface BlobHead {
  readonly bytes: number;
  readonly versionId: string | undefined;
  readonly contentType: string | undefined;
}

export interface BlobEntry {
  readonly key: string;
  readonly bytes: number;
  /** Epoch milliseconds of its newest version, to the second. */
  readonly modifiedAt: number;
}

/** Objects by reference. A missing object is the permanent error `object-missing`. */
export interface BlobStore {
  head(ref: ObjectRef): Promise<BlobHead | null>;
  /** The whole object; more than `maxBytes` is the permanent error `object-too-large`. */
  read(ref: ObjectRef, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly head: BlobHead }>;
  stream(ref: ObjectRef): Promise<AsyncIterable<Uint8Array>>;
  /** Writes the whole object, or nothing. */
  write(
    ref: ObjectRef,
    body: string | Uint8Array | AsyncIterable<Uint8Array>,
    contentType: string,
  ): Promise<void>;
  /** Keys below a prefix, in key order; with `after`, those that come after it. */
  list(bucket: string, prefix: string, after?: string): AsyncIterable<BlobEntry>;
}

/** A queue to send to. Resolves when every message is accepted; else the transient `send-incomplete`. */
export interface MessageSender<Message> {
  send(messages: readonly Message[], delaySeconds?: number): Promise<void>;
}

/** How many messages are in the queues that it was made for, delayed ones and those in somebody's hands included. */
export type QueueDepth = () => Promise<number>;

/** Batches and splits. All writes are single-item and conditional. */
export interface Ledger {
  /** Puts the row if there is none; returns the row that stands. */
  open(batch: BatchRecord): Promise<BatchRecord>;
  batch(batch: BatchId, run: number): Promise<BatchRecord | null>;
  /** Puts the split if there is none; an existing one is left as it is. */
  putSplit(split: SplitRecord): Promise<void>;
  split(batch: BatchId, run: number, split: number): Promise<SplitRecord | null>;
  /** Writes the split if its stored version is `split.version - 1`; false if somebody else wrote. */
  writeSplit(split: SplitRecord): Promise<boolean>;
  /** Records that the messages of the first `splits` splits are sent. */
  markSent(batch: BatchId, run: number, splits: number): Promise<void>;
  seal(
    batch: BatchId,
    run: number,
    sealed: NonNullable<BatchRecord["sealed"]>,
    fault: string | undefined,
  ): Promise<void>;
  /** Adds the split to the set of done or final ones; returns the batch as it then stands. */
  addSplit(
    batch: BatchId,
    run: number,
    split: number,
    set: "doneSplits" | "finalSplits",
  ): Promise<BatchRecord>;
  /** Sets `decidedAt` or `finalAt` once, with the revision of the files just written. */
  close(
    batch: BatchId,
    run: number,
    closed: { readonly kind: "decided" | "final"; readonly at: number; readonly revision: number },
  ): Promise<void>;
  /** Notes that a verdict of a final split came late, at epoch milliseconds; the batch is open until it is revised. */
  addLate(batch: BatchId, run: number, split: number, at: number): Promise<void>;
  /** Notes the revision that says all of these late verdicts; nothing if another came meanwhile. */
  revise(
    batch: BatchId,
    run: number,
    revised: { readonly revision: number; readonly lateVerdicts: number },
  ): Promise<void>;
  /** Batches that are not final or have late verdicts, oldest first. */
  openBatches(): AsyncIterable<BatchRecord>;
  /** Every batch there is; for people, not for the hot path. */
  allBatches(): AsyncIterable<BatchRecord>;
  /** Reads and adds to SWEEP's own count of re-sends of a split; never the ledger's counts. */
  resends(
    batch: BatchId,
    run: number,
    split: number,
  ): Promise<{ readonly count: number; readonly lastAt: number }>;
  noteResend(batch: BatchId, run: number, split: number, count: number, at: number): Promise<void>;
  /** The key up to which SWEEP has looked through the inbox; null at its beginning. */
  inboxMark(): Promise<string | null>;
  markInbox(key: string | null): Promise<void>;
}

export type LeaseOutcome =
  /** The caller may call the judge; `attempts` counts failed attempts before this one. */
  | { readonly kind: "leased"; readonly attempts: number }
  | { readonly kind: "recorded"; readonly result: Result }
  /** Somebody else holds a live lease. */
  | { readonly kind: "busy" };

export interface StoredSample {
  readonly result: Result | null;
  readonly verdict: Verdict | null;
  readonly attempts: number;
}

/** One item per sample and run. */
export interface SampleStore {
  lease(key: SampleKey, token: string, now: number, leaseSeconds: number): Promise<LeaseOutcome>;
  /** Gives the lease back; with `failed`, counts one attempt. A lease that is no longer ours is left alone. */
  release(key: SampleKey, token: string, failed: boolean): Promise<void>;
  /** Stores the result if this run has none; returns the result that stands. A stale lease does not matter. */
  record(key: SampleKey, result: Result): Promise<Result>;
  /** In the order of `keys`; null where nothing is stored. */
  read(keys: readonly SampleKey[]): Promise<readonly (StoredSample | null)[]>;
  /** The later verdict stands, in whatever order they come. */
  setVerdict(key: SampleKey, verdict: Verdict): Promise<void>;
}

export type ClaimOutcome =
  | { readonly kind: "claimed"; readonly task: ReviewTask }
  | { readonly kind: "busy" }
  | { readonly kind: "done" }
  | { readonly kind: "missing" };

/** Review tasks: the record behind the hints on the review queue. */
export interface ReviewStore {
  /** Puts the task if there is none; true if it was new. */
  open(task: ReviewTask): Promise<boolean>;
  get(id: string): Promise<ReviewTask | null>;
  /** Tasks that can be claimed now (open, or with a lapsed lease), highest priority first. */
  claimable(filter: {
    readonly task?: string;
    readonly now: number;
    readonly limit: number;
  }): Promise<readonly ReviewTask[]>;
  claim(id: string, lease: NonNullable<ReviewTask["lease"]>, now: number): Promise<ClaimOutcome>;
  /** Each of these needs the token of the live lease; false if it is not. */
  extend(id: string, token: string, expiresAt: number, now: number): Promise<boolean>;
  release(id: string, token: string): Promise<boolean>;
  /** `already` where the task has a verdict, whoever gave it. */
  submit(id: string, token: string, verdict: Verdict): Promise<"accepted" | "lease-lost" | "already">;
  /** Notes that the ledger has the task's verdict. */
  markHeard(id: string): Promise<void>;
  /** Tasks whose verdict the ledger may not have, in no order, and when it was given. */
  unheard(): AsyncIterable<{ readonly id: string; readonly givenAt: number }>;
  /** Tasks without a verdict, oldest first. */
  undecided(): AsyncIterable<ReviewTask>;
}

export type GistLease =
  | { readonly kind: "leased" }
  | { readonly kind: "ready"; readonly gist: Gist }
  | { readonly kind: "busy" };

/** The gist cache, by content and captioner. */
export interface GistStore {
  lease(cacheKey: string, token: string, now: number, leaseSeconds: number): Promise<GistLease>;
  put(cacheKey: string, gist: Gist): Promise<void>;
  release(cacheKey: string, token: string): Promise<void>;
}

/** The circuit breakers of the endpoints, shared by all workers. */
export interface BreakerStore {
  /** The breaker as it stands; a new one, version 0, where none was written. */
  read(endpoint: EndpointName): Promise<Breaker>;
  /** Writes it if the stored version is `breaker.version - 1`; false if somebody else wrote. */
  write(breaker: Breaker): Promise<boolean>;
}

/** What each batch may still spend on the judge, by task. */
export interface BudgetStore {
  /**
   * Takes up to `calls` from what is left, and says how many that is. The first taker brings the template's `limit`; after
   * that the stored one holds. An answer that gets lost may have taken them: never more calls than the limit.
   */
  take(key: BudgetKey, calls: number, limit: number): Promise<number>;
  giveBack(key: BudgetKey, calls: number): Promise<void>;
  /** Sets another limit; what is spent stays spent. `templateLimit` stood where nobody has taken anything yet. */
  setLimit(key: BudgetKey, limit: number, templateLimit: number, now: number): Promise<CallBudget>;
  /** The budgets of a run that somebody has taken from, or changed. */
  read(batch: BatchId, run: number): Promise<readonly CallBudget[]>;
}

/** How far families are trusted, and the watch over each certified task. */
export interface TrustStore {
  /** The family's record as it stands; a new one, version 0, where none was written. */
  family(family: string): Promise<FamilyTrust>;
  /**
   * Applies a pure change to what stands, again where somebody else wrote meanwhile, and returns what stands then. A change
   * that gives back the very record it was given writes nothing.
   */
  changeFamily(family: string, change: (trust: FamilyTrust) => FamilyTrust): Promise<FamilyTrust>;
  watch(task: string): Promise<Watch | null>;
  /** The same for a task's watch; null where there is none. */
  changeWatch(task: string, change: (watch: Watch | null) => Watch | null): Promise<Watch | null>;
}

export interface LabelledExample {
  readonly sample: Sample;
  readonly labels: NonNullable<Sample["labels"]>;
}

/** Task templates and their labelled examples, always by pinned version. */
export interface TemplateStore {
  /** The current template; null if the task has none. A broken one is the permanent error `bad-template`. */
  current(task: TaskId): Promise<{ readonly pin: TemplatePin; readonly template: Template } | null>;
  pinned(pin: TemplatePin): Promise<Template>;
  examples(pin: TemplatePin): Promise<readonly LabelledExample[]>;
  /** Every task that has a template, in name order. */
  tasks(): Promise<readonly TaskId[]>;
}

/** A chat endpoint; judge and captioner both are one. Throttling and time-outs are transient errors. */
export interface ChatModel {
  readonly model: string;
  complete(request: Omit<ChatRequest, "model">, signal: AbortSignal): Promise<ChatCompletion>;
}

export interface StrategyModel {
  /** Another one may choose otherwise, so gists are cached by it. */
  readonly version: string;
  /** Asks how to describe a picture (a normalised JPEG or PNG). */
  choose(picture: Uint8Array, signal: AbortSignal): Promise<StrategyChoice>;
}

/** What one `image_url` of a model request carries: upright sRGB, 8 bits a channel, nothing transparent. */
export interface PictureTile {
  readonly bytes: Uint8Array;
  readonly mediaType: "image/jpeg" | "image/png";
  readonly width: number;
  readonly height: number;
}

/** A picture made ready for models and reviewers; itself the only tile, or the first one of a very long picture. */
export interface NormalisedPicture extends PictureTile {
  /** The other tiles in reading order. */
  readonly more: readonly PictureTile[];
  /**
   * What the strategy model sees: those tiles that it is asked about, JPEG or PNG, at a size at which their layout can be
   * told but not read. At least one.
   */
  readonly thumbnails: readonly Uint8Array[];
  /** Share of its length that each of them repeats of the one before; 0 where there is only one. */
  readonly overlap: number;
  readonly notes: readonly PictureNote[];
}

export type NormaliseOutcome =
  | { readonly kind: "picture"; readonly picture: NormalisedPicture }
  | {
      readonly kind: "unreadable" | "unsupported" | "too-large";
      readonly fault: PictureFault;
      /** What the file is, or how large: put into the fault's words. */
      readonly detail: string;
      readonly message: string;
    };

export interface PictureNormaliser {
  normalise(bytes: Uint8Array): Promise<NormaliseOutcome>;
}

/** A video as it was looked through: small signatures of frames at even distances, and a way to the frames themselves. */
export interface SampledVideo {
  readonly durationMs: number;
  readonly hasSound: boolean;
  /** In order of time; at least one. */
  readonly frames: readonly { readonly atMs: number; readonly bytes: Uint8Array }[];
  /** Encoded pictures of the frames at these times of `frames`, in their order. */
  stills(atMs: readonly number[]): Promise<readonly Uint8Array[]>;
}

export type VideoOutcome =
  | { readonly kind: "video"; readonly video: SampledVideo }
  | { readonly kind: "unreadable" | "unsupported" | "too-large"; readonly message: string };

/** Looks through videos. Sound is not covered. */
export interface VideoReader {
  /** Nothing is begun that could last beyond `deadline` (epoch milliseconds): what has no time left is thrown as `held`. */
  read(bytes: Uint8Array, language: "zh" | "en", deadline: number): Promise<VideoOutcome>;
}
