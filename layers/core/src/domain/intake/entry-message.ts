/** The first message of a sample: to DESCRIBE if it shows something, to SCORE if not, to SETTLE if it ends here. */
import type { ObjectRef, SampleKey } from "../../schema/identity.ts";
import type { BatchRecord } from "../../schema/ledger.ts";
import type { DescribeRequest, OutcomeMessage, ScoreRequest } from "../../schema/messages.ts";
import type { Outcome, Reason } from "../../schema/outcome.ts";
import type { Result } from "../../schema/result.ts";
import type { SamplePayload } from "../../schema/review.ts";
import { mediaRefs, type Sample } from "../../schema/sample.ts";
import type { Row } from "./read-row.ts";
import { routeSample, type TemplatesByTask } from "./route.ts";
import { inboxPrefix } from "./upload-key.ts";

export type EntryMessage =
  | { readonly hop: "describe"; readonly message: DescribeRequest }
  | { readonly hop: "score"; readonly message: ScoreRequest }
  | { readonly hop: "settle"; readonly message: OutcomeMessage };

export interface EntryContext {
  readonly batch: BatchRecord;
  readonly templates: TemplatesByTask;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Human work on a sample nobody has a template for is worth about as much as a coin flip. */
const unroutedPriority = 0.5;
const unroutedSlaHours = 72;

/** Decides where a row goes; `payload` is how its sample travels (itself, or a pointer). */
export const entryMessage = (
  row: Row,
  key: SampleKey,
  payload: SamplePayload | null,
  context: EntryContext,
): EntryMessage => {
  const { batch, now } = context;
  if (row.kind === "bad") {
    const { code, field, message } = row.fault;
    const reason: Reason = { code, detail: message, ...(field === "" ? {} : { field }) };
    const record = bareResult(row.sampleId, batch.task, row.line, "invalid", reason, batch, now);
    return { hop: "settle", message: outcomeOf(key, record, null) };
  }
  const route = routeSample(row.sample, pathOf(batch.source, batch.task), context.templates);
  if (route.kind === "unrouted") {
    const reason: Reason = { code: "unrouted", detail: route.detail.slice(0, 400) };
    const task = row.sample.task ?? batch.task;
    const record = bareResult(row.sample.id, task, row.line, "review", reason, batch, now);
    return {
      hop: "settle",
      message: outcomeOf(key, record, {
        kind: "review",
        payload,
        reasons: [reason],
        questions: [],
        prefill: [],
        gists: [],
        template: null,
        priority: unroutedPriority,
        slaHours: unroutedSlaHours,
      }),
    };
  }
  const travelling = {
    schema: 1 as const,
    key,
    sampleId: row.sample.id,
    line: row.line,
    source: batch.source,
    payload: payload ?? { sample: row.sample },
    template: route.known.pin,
    callType: batch.callType,
    arrivedAt: batch.arrivedAt,
  };
  return needsDescription(row.sample)
    ? { hop: "describe", message: { ...travelling, attempts: 0 } }
    : { hop: "score", message: { ...travelling, gists: [], problems: [] } };
};

/** The task that a row counts for: the one it is routed to, else the one it asked for, else that of its path. */
export const taskOfRow = (row: Row | undefined, batch: BatchRecord, templates: TemplatesByTask): string => {
  if (row?.kind !== "sample") return batch.task;
  const route = routeSample(row.sample, pathOf(batch.source, batch.task), templates);
  return route.kind === "routed" ? route.known.pin.task : (row.sample.task ?? batch.task);
};

const needsDescription = (sample: Sample): boolean => mediaRefs(sample).length > 0;

const pathOf = (source: ObjectRef, task: string): { task: string; belowInbox: string } => ({
  task,
  belowInbox: source.key.startsWith(inboxPrefix) ? source.key.slice(inboxPrefix.length) : source.key,
});

/** A result that no judge had a part in. */
export const bareResult = (
  sampleId: string,
  task: string,
  line: number,
  decision: Outcome,
  reason: Reason,
  batch: Pick<BatchRecord, "callType">,
  now: number,
): Result => ({
  schema: 1,
  sampleId,
  task,
  line,
  decision,
  reasons: [reason],
  vouchedBy: null,
  certified: false,
  audit: false,
  fields: [],
  template: null,
  fingerprint: null,
  promptSha256: null,
  judge: null,
  usage: { judgeCalls: 0, promptTokens: 0, completionTokens: 0 },
  latencyMs: { judge: 0, total: 0 },
  callType: batch.callType,
  decidedAt: now,
});

/** The message by which SETTLE learns of a result that it is to store itself. */
export const outcomeOf = (
  key: SampleKey,
  record: Result,
  review: OutcomeMessage["review"],
): OutcomeMessage => ({
  kind: "outcome",
  schema: 1,
  key,
  sampleId: record.sampleId,
  task: record.task,
  outcome: record.decision,
  decidedAt: record.decidedAt,
  review,
  record,
});
