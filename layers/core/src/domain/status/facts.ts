/** What is known when somebody asks why nothing happens; the shell gathers it, diagnose.ts reads it. */
import type { QueueName } from "../../pipeline.ts";
import type { BatchRecord } from "../../schema/ledger.ts";
import type { Breaker, CallBudget } from "../../schema/pressure.ts";
import type { FamilyTrust } from "../../schema/trust.ts";
import type { Watch } from "../../schema/watch.ts";
import type { Timing } from "../../timing.ts";
import type { LedgerCounts } from "../ledger/split.ts";

export interface QueueFacts {
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
  /** In the dead-letter queue. */
  readonly dead: number;
}

/** A batch file of the inbox that has no batch. Times here and below are epoch milliseconds. */
export interface LooseFile {
  readonly key: string;
  readonly modifiedAt: number;
}

export type TemplateFacts =
  | { readonly task: string; readonly state: "present" | "missing" }
  | { readonly task: string; readonly state: "broken"; readonly message: string };

/** Some of a batch's undecided samples, by what became of them so far. */
export interface SampleFacts {
  /** Nobody has begun with it. */
  readonly untouched: number;
  /** Somebody works on it. */
  readonly leased: number;
  /** Put back without a failed attempt: the model asked to wait, or is left alone. */
  readonly putBack: number;
  /** Put back after a failed attempt. */
  readonly failed: number;
}

export interface BatchFacts {
  readonly record: BatchRecord;
  readonly counts: LedgerCounts;
  readonly undecided: number;
  readonly samples: SampleFacts;
  /** The version of the file that was uploaded can still be read. */
  readonly hasSource: boolean;
  /** SWEEP's notes about the file as a whole, and about the split that it will send again next. */
  readonly fileResends: { readonly count: number; readonly lastAt: number };
  readonly splitResends: { readonly count: number; readonly lastAt: number };
  /** Open reviews that exist because no template took the sample, among those looked at. */
  readonly unrouted: number;
  /** Whether undecided samples among those looked at refer to pictures. */
  readonly hasMedia: boolean;
  /** Pictures that are referred to and not there, and until when they are waited for; null if they are not. */
  readonly missingMedia: readonly { readonly ref: string; readonly line: number }[];
  readonly mediaUntil: number | null;
}

export interface StatusFacts {
  readonly now: number;
  readonly timing: Timing;
  readonly queues: Readonly<Record<QueueName, QueueFacts>>;
  readonly looseFiles: readonly LooseFile[];
  readonly templates: readonly TemplateFacts[];
  /** Oldest first. */
  readonly batches: readonly BatchFacts[];
  readonly breakers: readonly Breaker[];
  readonly budgets: readonly CallBudget[];
  /** Of every family that has a calibration or a certificate. */
  readonly trust: readonly FamilyTrust[];
  /** Of every task of these families that was ever certified. */
  readonly watches: readonly Watch[];
}
