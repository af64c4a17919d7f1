/** Builds the stored result of a sample and what a reviewer gets, from a decision. SCORE calls it. */
import type { FormatRule } from "../../schema/format.ts";
import type { Integration } from "../../schema/gist.ts";
import type { OutcomeMessage, ScoreRequest } from "../../schema/messages.ts";
import type { Outcome, Reason } from "../../schema/outcome.ts";
import type { FieldResult, Result } from "../../schema/result.ts";
import type { ReviewRequest } from "../../schema/review.ts";
import type { Sample } from "../../schema/sample.ts";
import type { Template } from "../../schema/template.ts";
import { gistDigest } from "../describe/gist-digest.ts";
import type { Evidence } from "../judge/evidence.ts";
import { lostTo } from "../results/coverage.ts";
import { judgedCriteria } from "../rubric/asked-criteria.ts";
import { agreementWith } from "./agreement.ts";
import { isAudited } from "./audit.ts";
import { askable, type Decision } from "./decide.ts";
import { likenessOf } from "./likeness.ts";
import type { Vouching } from "./vouching.ts";

/** The judge's part in a result; null where no judge was asked. */
export interface JudgePart {
  readonly model: string;
  readonly promptSha256: string;
  /** The context its prompt was built for, where the model took fewer tokens than the template says. */
  readonly contextTokens: number | null;
  /** Rules of form that its first answer broke; null where there was none to look at. */
  readonly format: readonly FormatRule[] | null;
  /** How the pictures' gists shared its prompt. */
  readonly integration: Integration;
  readonly explanation: string;
  readonly evidence: readonly Evidence[];
  readonly usage: Result["usage"];
  readonly judgeMs: number;
}

export interface Scored {
  readonly request: ScoreRequest;
  readonly sample: Sample;
  readonly template: Template;
  readonly fingerprint: string;
  readonly vouching: Vouching;
  readonly decision: Decision;
  readonly judge: JudgePart | null;
  readonly startedAt: number;
  readonly now: number;
}

const explanationLimit = 600;

/** In the random stream that certificates rest on, whatever was decided. */
const isDrawn = (sampleId: string, { task, decision }: Template): boolean =>
  isAudited(sampleId, task, decision.auditRate);

/** The result of a judged or exactly compared sample; explanation and evidence are cut to what is stored. */
export const scoredResult = (scored: Scored): Result => {
  const { request, sample, template, decision, vouching, judge, now } = scored;
  const audit = decision.outcome === "machine" && isDrawn(sample.id, template);
  const raw = decision.confidence;
  const agrees = agreementWith(sample.labels, decision.fields, decision.rubric?.grade);
  return {
    ...resultFrame(request, template, scored.fingerprint, scored.startedAt, now),
    decision: decision.outcome,
    reasons: [...decision.reasons],
    vouchedBy: decision.vouchedBy,
    certified: decision.vouchedBy === "certificate",
    ...(vouching.certificate === undefined ? {} : { certificate: vouching.certificate }),
    ...(raw === null
      ? {}
      : { confidence: { raw, calibrated: vouching.calibrate?.(raw) ?? null }, likeness: likenessOf(sample) }),
    audit,
    fields: [...decision.fields],
    ...(decision.rubric ? { rubric: decision.rubric } : {}),
    ...(agrees === undefined ? {} : { agrees }),
    ...(judge
      ? {
          explanation: judge.explanation.slice(0, explanationLimit),
          evidence: judge.evidence
            .slice(0, 3)
            .map(({ quote, found }) => ({ quote: quote.slice(0, 200), found })),
          judge: judge.model,
          promptSha256: judge.promptSha256,
          ...(judge.contextTokens === null ? {} : { contextTokens: judge.contextTokens }),
          ...(request.gists.length > 1 ? { integration: judge.integration } : {}),
          ...(judge.format === null || judge.format.length === 0 ? {} : { format: [...judge.format] }),
          ...(request.problems.length === 0
            ? {}
            : { mediaProblems: request.problems.map(({ ref, kind }) => ({ ref, kind })) }),
          usage: judge.usage,
          latencyMs: { judge: judge.judgeMs, total: now - scored.startedAt },
        }
      : {}),
  };
};

/** A sample that ends without a judge: its media is at fault, or every attempt failed. */
export const unjudgedResult = (
  request: ScoreRequest,
  template: Template | null,
  outcome: Exclude<Outcome, "machine">,
  reasons: readonly Reason[],
  startedAt: number,
  now: number,
): Result => ({
  ...resultFrame(request, template, null, startedAt, now),
  decision: outcome,
  reasons: [...reasons],
  vouchedBy: null,
  certified: false,
  audit: false,
  fields: [],
});

type ResultFrame = Omit<Result, "decision" | "reasons" | "vouchedBy" | "certified" | "audit" | "fields">;

const resultFrame = (
  request: ScoreRequest,
  template: Template | null,
  fingerprint: string | null,
  startedAt: number,
  now: number,
): ResultFrame => ({
  schema: 1,
  sampleId: request.sampleId,
  task: template?.task ?? request.template.task,
  line: request.line,
  template: request.template,
  fingerprint,
  promptSha256: null,
  judge: null,
  usage: { judgeCalls: 0, promptTokens: 0, completionTokens: 0 },
  latencyMs: { judge: 0, total: now - startedAt },
  callType: request.callType,
  decidedAt: now,
  ...(request.gists.length > 0
    ? {
        gists: request.gists.map(({ ref, gist }) => ({
          ref,
          hash: gist.hash,
          digest: gistDigest(gist),
          strategy: gist.strategy,
          flags: gist.flags,
        })),
      }
    : {}),
});

/**
 * The message to SETTLE for a stored result. It is made from the result alone and the request, so that a redelivery
 * which finds the result sends the very same one.
 */
export const outcomeMessage = (
  request: ScoreRequest,
  result: Result,
  template: Template | null,
): OutcomeMessage => ({
  kind: "outcome",
  schema: 1,
  key: request.key,
  sampleId: result.sampleId,
  task: result.task,
  outcome: result.decision,
  decidedAt: result.decidedAt,
  coverage: { certified: result.certified, lost: lostTo(result) },
  review: result.decision === "review" || result.audit ? reviewRequest(request, result, template) : null,
  record: null,
});

const reviewRequest = (request: ScoreRequest, result: Result, template: Template | null): ReviewRequest => {
  // What is drawn is asked as an audit asks, or those below the threshold would be seen with other eyes than those above.
  const blind =
    result.audit ||
    (template !== null && result.confidence !== undefined && isDrawn(result.sampleId, template));
  const open = result.fields.filter((field) => field.value === null).map((field) => field.id);
  const fields = template ? askable(template.fields) : [];
  const all = template ? [...fields, ...judgedCriteria(template.rubric).map(({ id }) => id)] : [];
  const doubtful = [...fields.filter((id) => open.includes(id)), ...(result.rubric?.open ?? [])];
  const asked = blind || doubtful.length === 0 ? all : doubtful;
  return {
    kind: result.audit ? "audit" : "review",
    payload: request.payload,
    reasons: blind ? [] : result.reasons,
    questions: [...asked],
    prefill: blind ? [] : [...result.fields, ...criterionPrefill(result, asked)],
    ...(blind || result.rubric === undefined ? {} : { rubric: result.rubric }),
    ...(blind || result.explanation === undefined ? {} : { explanation: result.explanation }),
    ...(blind || result.evidence === undefined ? {} : { evidence: result.evidence }),
    gists: request.gists,
    ...(request.gistsAt === undefined ? {} : { gistsAt: request.gistsAt }),
    template: request.template,
    // Also among those below the threshold: if the doubtful came first, the drawn that are answered would be no random ones.
    priority: blind ? auditPriority : reviewPriority(result),
    slaHours: template?.decision.slaHours ?? defaultSlaHours,
  };
};

/** What the judge would say of the criteria that are asked: undecided, with the probability of its verdict. */
const criterionPrefill = (result: Result, asked: readonly string[]): readonly FieldResult[] =>
  (result.rubric?.criteria ?? []).flatMap(({ id, met, confidence }) =>
    asked.includes(id)
      ? [
          {
            id,
            value: null,
            confidence: {
              source: confidence === null ? ("none" as const) : ("logprob" as const),
              raw: confidence,
              calibrated: null,
            },
            ...(met === null || confidence === null ? {} : { distribution: { [met]: confidence } }),
          },
        ]
      : [],
  );

/** Audits come after the most doubtful reviews and before the nearly sure ones. */
const auditPriority = 0.3;
const defaultSlaHours = 72;

/** Worst first: the doubt about the least certain open field; a half where nothing was measured. */
const reviewPriority = (result: Result): number => {
  const ofFields = result.fields.flatMap(({ value, confidence }) => {
    const probability = confidence.calibrated ?? confidence.raw;
    return value === null && probability !== null ? [1 - probability] : [];
  });
  const ofCriteria = (result.rubric?.criteria ?? []).flatMap(({ id, confidence }) =>
    confidence !== null && result.rubric?.open?.includes(id) ? [1 - confidence] : [],
  );
  const doubts = [...ofFields, ...ofCriteria];
  return doubts.length === 0 ? 0.5 : Math.max(...doubts);
};
