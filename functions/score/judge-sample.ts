/** Judges one sample whose lease we hold: code where the answer is objective, the judge for the rest, then the decision. */
import { judgedResult } from "@touchstone/core/domain/decide/judged-result";
import { judgeMedia } from "@touchstone/core/domain/decide/media-policy";
import { exactReading } from "@touchstone/core/domain/decide/readings";
import { unjudgedResult } from "@touchstone/core/domain/decide/scored-result";
import { asksJudge } from "@touchstone/core/domain/judge/asked-fields";
import { scoreExact } from "@touchstone/core/domain/score-exact/score-exact";
import { transient } from "@touchstone/core/errors";
import type { ChatModel } from "@touchstone/core/ports";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import { unpackGists, unpackSample } from "../_batch/payload.ts";
import type { CallPurse } from "../_pressure/call-budget.ts";
import type { Pass } from "../_pressure/endpoint-gate.ts";
import { askJudge, type JudgePorts } from "./ask-judge.ts";
import { sampleJudge } from "./sample-judge.ts";

export interface JudgeSamplePorts extends JudgePorts {
  readonly judge: ChatModel;
  readonly purse: CallPurse;
  /** Short hash of what a probe found out about the judge's server; null where nobody probed it. */
  readonly judgeProbe: () => Promise<string | null>;
  /** How far the family is trusted, as of at most about a minute ago. */
  readonly trust: (family: string) => Promise<FamilyTrust>;
}

/** Whether the sample needs a way to the judge; a template that cannot be read says so itself, later. */
export const needsJudge = async (
  request: ScoreRequest,
  { templates }: Pick<JudgePorts, "templates">,
): Promise<boolean> => {
  const template = await templates.pinned(request.template).catch(() => null);
  if (template === null) return true;
  const goesOn = judgeMedia(request.problems, template.media.whenUnreadable).kind !== "end";
  return goesOn && asksJudge(template);
};

export interface Turn {
  readonly request: ScoreRequest;
  readonly startedAt: number;
  readonly deadline: number;
  /** Null where no judge is needed. */
  readonly pass: Pass | null;
}

/** Null where the batch's budget has no call left for it. */
export const judgeSample = async (turn: Turn, ports: JudgeSamplePorts): Promise<Result | null> => {
  const { startedAt } = turn;
  const request = { ...turn.request, gists: await unpackGists(turn.request, ports.blobs) };
  const template = await ports.templates.pinned(request.template);
  const media = judgeMedia(request.problems, template.media.whenUnreadable);
  if (media.kind === "end") {
    return unjudgedResult(request, template, media.outcome, media.reasons, startedAt, ports.clock());
  }
  const sample = await unpackSample(request.payload, ports.blobs);
  const exact = template.scorers.map((scorer) => exactReading(scoreExact(scorer, sample)));
  const found = { request, sample, template, exact, startedAt };
  if (!asksJudge(template))
    return judgedResult({ ...found, judged: null, probe: null, trust: null, now: ports.clock() });
  if (turn.pass === null) throw transient("held", "the judge had no place for the sample");
  const judge = sampleJudge(ports.judge, turn.pass, ports.purse, request, template);
  // Before the call: what is paid must not be lost over a record that cannot be read.
  const probe = await ports.judgeProbe();
  const trust = await ports.trust(template.family);
  const judged = await askJudge({ request, sample, template, judge, deadline: turn.deadline }, ports);
  return judged && judgedResult({ ...found, judged, probe, trust, now: ports.clock() });
};
