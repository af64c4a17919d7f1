/** SCORE: leases a sample, judges it, stores the result, and tells SETTLE. */
import { outcomeMessage, unjudgedResult } from "@touchstone/core/domain/decide/scored-result";
import { isWaiting } from "@touchstone/core/domain/pressure/call-outcome";
import { retryDelaySeconds } from "@touchstone/core/domain/pressure/retry-delay";
import { retryAfterSeconds } from "@touchstone/core/errors";
import type { MessageSender, SampleStore, TokenSource } from "@touchstone/core/ports";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import type { ScoreRequest, SettleEntry } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import { maxAttempts } from "@touchstone/core/timing";
import type { EndpointGate } from "../_pressure/endpoint-gate.ts";
import { hasWaitedEnough, type PutOffPorts, putOff } from "../_pressure/put-off.ts";
import { type JudgeSamplePorts, judgeSample, needsJudge, type Turn } from "./judge-sample.ts";

export interface ScorePorts extends JudgeSamplePorts, PutOffPorts {
  readonly gate: EndpointGate;
  readonly samples: SampleStore;
  readonly score: MessageSender<ScoreRequest>;
  readonly settle: MessageSender<SettleEntry>;
  readonly token: TokenSource;
  readonly complain: (request: ScoreRequest, error: unknown) => void;
}

/**
 * Where the judge is asked, a place at its endpoint comes before the lease: who has to wait leaves nothing behind.
 * `deadline` is the moment (epoch milliseconds) from which no call may be under way any more.
 */
export const scoreSample = async (
  request: ScoreRequest,
  deadline: number,
  ports: ScorePorts,
): Promise<void> => {
  const turn = { request, deadline, startedAt: ports.clock() };
  if (!(await needsJudge(request, ports)))
    return tellSettle(request, await scoreLeased({ ...turn, pass: null }, ports), ports);
  const admission = await ports.gate.admit(formatSampleKey(request.key), deadline - ports.judgeTimeoutMs);
  if (admission.kind === "held") {
    return hasWaitedEnough(request, ports)
      ? tellSettle(request, await scoreLeased({ ...turn, pass: null }, ports), ports)
      : putOff(request, admission.seconds, ports.score, ports);
  }
  let result: Result | null;
  try {
    result = await scoreLeased({ ...turn, pass: admission.pass }, ports);
  } finally {
    // Before SETTLE is told, which may wait for others: the place is the judge's.
    await admission.pass.leave();
  }
  await tellSettle(request, result, ports);
};

/**
 * At most one caller holds the lease, so a sample is paid once; a result is stored whoever holds the lease by then, so
 * a paid answer is never thrown away; SETTLE hears of it after that, again at every redelivery. Null where there is
 * nothing to tell: somebody else is at work on it, or it comes back.
 */
const scoreLeased = async (turn: Turn, ports: ScorePorts): Promise<Result | null> => {
  const { request } = turn;
  const token = ports.token();
  const lease = await ports.samples.lease(request.key, token, ports.clock(), ports.timing.lease.sample);
  switch (lease.kind) {
    case "busy":
      // Somebody is at work on it; if that one dies, SWEEP sends the sample again.
      return null;
    case "recorded":
      return lease.result;
    case "leased": {
      let result: Result | null;
      try {
        result = await resultOf(turn, lease.attempts, ports);
      } catch (error) {
        await comeBack(request, token, lease.attempts, error, ports);
        return null;
      }
      if (result !== null) return ports.samples.record(request.key, result);
      // No call is left in the batch's budget: the ledger knows the sample, and SWEEP sends it again once there is one.
      await ports.samples.release(request.key, token, false);
      return null;
    }
    default:
      return lease satisfies never;
  }
};

/** An end without an answer is a result too, so it is never lost. */
const resultOf = async (turn: Turn, attempts: number, ports: ScorePorts): Promise<Result | null> => {
  if (attempts >= maxAttempts) return gaveUp(turn, `the judge failed ${attempts} times`, ports);
  try {
    return await judgeSample(turn, ports);
  } catch (error) {
    if (!isWaiting(error) || !hasWaitedEnough(turn.request, ports)) throw error;
    const hours = Math.round(ports.timing.longestWait / 3600);
    return gaveUp(turn, `waited ${hours} hours for the judge`, ports);
  }
};

const gaveUp = async ({ request, startedAt }: Turn, detail: string, ports: ScorePorts): Promise<Result> => {
  const template = await ports.templates.pinned(request.template).catch(() => null);
  const reason = { code: "gave-up" as const, detail };
  return unjudgedResult(request, template, "failed", [reason], startedAt, ports.clock());
};

/** Waiting is not failing: an endpoint that does not take the call costs no attempt, any other failure costs one. */
const comeBack = async (
  request: ScoreRequest,
  token: string,
  attempts: number,
  error: unknown,
  ports: ScorePorts,
): Promise<void> => {
  const waiting = isWaiting(error);
  await ports.samples.release(request.key, token, !waiting);
  ports.complain(request, error);
  const asked = retryAfterSeconds(error);
  if (waiting) return putOff(request, asked, ports.score, ports);
  const delay = retryDelaySeconds(attempts, ports.timing.retryDelay, asked, ports.random());
  await ports.score.send([request], delay);
};

const tellSettle = async (request: ScoreRequest, result: Result | null, ports: ScorePorts): Promise<void> => {
  if (result === null) return;
  const needsTemplate = result.decision === "review" || result.audit;
  const template = needsTemplate ? await ports.templates.pinned(request.template) : null;
  await ports.settle.send([outcomeMessage(request, result, template)]);
};
