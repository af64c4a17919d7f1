/** SCORE: leases a sample, judges it, stores the result, and tells SETTLE. */
import { decide, type FieldReading } from "@touchstone/core/domain/decide/decide";
import { judgeFingerprint } from "@touchstone/core/domain/decide/fingerprint";
import { judgeMedia } from "@touchstone/core/domain/decide/media-policy";
import { promptDoubts } from "@touchstone/core/domain/decide/prompt-doubts";
import { answerFaultOf, exactReading } from "@touchstone/core/domain/decide/readings";
import { outcomeMessage, scoredResult, unjudgedResult } from "@touchstone/core/domain/decide/scored-result";
import { retryDelaySeconds } from "@touchstone/core/domain/pressure/retry-delay";
import { scoreExact } from "@touchstone/core/domain/score-exact/score-exact";
import { errorCode, retryAfterSeconds } from "@touchstone/core/errors";
import type { MessageSender, SampleStore, TokenSource } from "@touchstone/core/ports";
import type { ScoreRequest, SettleMessage } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { maxAttempts, maxWaits, type Timing } from "@touchstone/core/timing";
import { unpackSample } from "../_batch/payload.ts";
import { askJudge, type Judgement, type JudgePorts } from "./ask-judge.ts";

export interface ScorePorts extends JudgePorts {
  readonly samples: SampleStore;
  readonly score: MessageSender<ScoreRequest>;
  readonly settle: MessageSender<SettleMessage>;
  readonly token: TokenSource;
  readonly random: () => number;
  readonly complain: (request: ScoreRequest, error: unknown) => void;
  readonly timing: Timing;
}

/**
 * At most one caller holds the lease, so a sample is paid once; a result is stored whoever holds the lease by then, so
 * a paid answer is never thrown away; SETTLE hears of it after that, again at every redelivery.
 */
export const scoreSample = async (request: ScoreRequest, ports: ScorePorts): Promise<void> => {
  const token = ports.token();
  const startedAt = ports.clock();
  const lease = await ports.samples.lease(request.key, token, startedAt, ports.timing.lease.sample);
  switch (lease.kind) {
    case "busy":
      // Somebody is at work on it; if that one dies, SWEEP sends the sample again.
      return;
    case "recorded":
      return tellSettle(request, lease.result, ports);
    case "leased": {
      let result: Result;
      try {
        result =
          lease.attempts >= maxAttempts
            ? await gaveUp(request, lease.attempts, startedAt, ports)
            : await judged(request, startedAt, ports);
      } catch (error) {
        return comeBack(request, token, lease.attempts, error, ports);
      }
      return tellSettle(request, await ports.samples.record(request.key, result), ports);
    }
    default:
      return lease satisfies never;
  }
};

const judged = async (request: ScoreRequest, startedAt: number, ports: ScorePorts): Promise<Result> => {
  const template = await ports.templates.pinned(request.template);
  const media = judgeMedia(request.problems, template.media.whenUnreadable);
  if (media.kind === "end") {
    return unjudgedResult(request, template, media.outcome, media.reasons, startedAt, ports.clock());
  }
  const sample = await unpackSample(request.payload, ports.blobs);
  const exact = template.scorers.map((scorer) => exactReading(scoreExact(scorer, sample)));
  const asked = template.fields.filter((field) => exact.every((reading) => reading.id !== field.id));
  const judgement = asked.length > 0 ? await askJudge(request, sample, template, asked, ports) : null;
  return assemble({ request, startedAt, template, sample, exact, judgement }, ports);
};

interface Findings {
  readonly request: ScoreRequest;
  readonly startedAt: number;
  readonly template: Template;
  readonly sample: Sample;
  readonly exact: readonly FieldReading[];
  readonly judgement: Judgement | null;
}

const assemble = (findings: Findings, ports: ScorePorts): Result => {
  const { request, startedAt, template, sample, exact, judgement } = findings;
  const answer = judgement?.answer ?? null;
  const fault = answer && answer.kind !== "answer" ? answer : null;
  const decision = decide({
    template,
    readings: [...exact, ...(judgement?.readings ?? [])],
    answerFault: fault ? { code: answerFaultOf(fault.kind), detail: fault.detail } : null,
    doubts: judgement ? promptDoubts(judgement.prompt) : [],
  });
  return scoredResult({
    request,
    sample,
    template,
    fingerprint: judgeFingerprint(judgement?.model ?? "none", request.template, template),
    decision,
    judge: judgement
      ? {
          model: judgement.model,
          promptSha256: judgement.promptSha256,
          explanation: answer?.kind === "answer" ? answer.explanation : "",
          evidence: answer?.kind === "answer" ? answer.evidence : [],
          usage: judgement.usage,
          judgeMs: judgement.judgeMs,
        }
      : null,
    startedAt,
    now: ports.clock(),
  });
};

const gaveUp = async (
  request: ScoreRequest,
  attempts: number,
  startedAt: number,
  ports: ScorePorts,
): Promise<Result> => {
  const template = await ports.templates.pinned(request.template).catch(() => null);
  const reason = { code: "gave-up" as const, detail: `the judge failed ${attempts} times` };
  return unjudgedResult(request, template, "failed", [reason], startedAt, ports.clock());
};

/** Waiting is not failing: a throttled call costs no attempt; any other failure costs one, then comes again. */
const comeBack = async (
  request: ScoreRequest,
  token: string,
  attempts: number,
  error: unknown,
  ports: ScorePorts,
): Promise<void> => {
  const waits = request.waits ?? 0;
  const waiting = errorCode(error) === "throttled" && waits < maxWaits;
  await ports.samples.release(request.key, token, !waiting);
  ports.complain(request, error);
  await ports.score.send(
    [waiting ? { ...request, waits: waits + 1 } : request],
    retryDelaySeconds(
      waiting ? waits : attempts,
      ports.timing.retryDelay,
      retryAfterSeconds(error),
      ports.random(),
    ),
  );
};

const tellSettle = async (request: ScoreRequest, result: Result, ports: ScorePorts): Promise<void> => {
  const needsTemplate = result.decision === "review" || result.audit;
  const template = needsTemplate ? await ports.templates.pinned(request.template) : null;
  await ports.settle.send([outcomeMessage(request, result, template)]);
};
