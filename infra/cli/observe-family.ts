/** Gathers what was observed of a family's tasks: results and verdicts of the last weeks. `calibrate` and `certify` read it. */
import { defaultFitShare } from "@touchstone/core/domain/certificate/label-use";
import { isAudited } from "@touchstone/core/domain/decide/audit";
import { reviewIdOf } from "@touchstone/core/domain/review/answer-review";
import type { FamilyEvidence, JudgedTask } from "@touchstone/core/domain/trust/certify-family";
import type { PendingRule } from "@touchstone/core/domain/trust/evidence";
import { type HumanVerdicts, type Observed, observe } from "@touchstone/core/domain/trust/observed";
import { errorKind } from "@touchstone/core/errors";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Result } from "@touchstone/core/schema/result";
import type { Template } from "@touchstone/core/schema/template";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";
import { batchesOf } from "./find-batch.ts";
import { type FoundSample, keyOf, readSamples } from "./find-sample.ts";
import { partsOf } from "./judge-parts.ts";
import { failure } from "./problem.ts";
import { certificateProblems } from "./words/certificate-words.ts";

export interface ObservedFamily {
  readonly evidence: FamilyEvidence;
  readonly trust: FamilyTrust;
  /** The task that was asked for; one of the evidence's. */
  readonly task: JudgedTask;
}

type Ports = Pick<
  Connection,
  "ledger" | "samples" | "reviews" | "templates" | "blobs" | "uploadsBucket" | "trust"
>;

/** Of each task only what its newest judge has judged; tasks that nobody has judged in the window are left out. */
export const observeFamily = async (
  connection: Ports,
  task: string,
  window: { readonly from: number; readonly alone: boolean; readonly pendingRule: PendingRule },
): Promise<ObservedFamily> => {
  const asked = await currentTemplate(connection, task);
  if (asked === null) throw failure(certificateProblems.noTemplate(task));
  const { family } = asked;
  const names = window.alone ? [task] : await familyTasks(connection, family);
  const found = await judgedSamples(connection, new Set(names), window.from);
  const tasks = await inParallel(names, 2, (name) => judgedTask(connection, found.get(name) ?? []));
  const judged = tasks.flatMap((one) => one ?? []);
  const own = judged.find(({ template }) => template.task === task);
  if (!own) throw failure(certificateProblems.nothingJudged(task));
  const trust = await connection.trust.family(family);
  const evidence = {
    ...{ family, tasks: judged, calibration: trust.calibration, fitShare: defaultFitShare },
    pendingRule: window.pendingRule,
  };
  return { evidence, trust, task: own };
};

/** A task whose template is broken has no policy to go by. */
const currentTemplate = async (
  { templates }: Pick<Connection, "templates">,
  name: string,
): Promise<Template | null> => {
  const task = taskIdSchema.safeParse(name);
  if (!task.success) return null;
  try {
    return (await templates.current(task.data))?.template ?? null;
  } catch (error) {
    if (errorKind(error) === "transient") throw error;
    return null;
  }
};

const familyTasks = async (connection: Ports, family: string): Promise<readonly string[]> => {
  const names = await connection.templates.tasks();
  const templates = await inParallel(names, 8, (name) => currentTemplate(connection, name));
  return templates.flatMap((template) => (template?.family === family ? [template.task] : []));
};

/** Judged samples by task; trials and analyses are no traffic. */
const judgedSamples = async (
  connection: Ports,
  tasks: ReadonlySet<string>,
  from: number,
): Promise<ReadonlyMap<string, readonly FoundSample[]>> => {
  const mayHold = ({ task, templates, arrivedAt, callType }: BatchRecord): boolean =>
    arrivedAt >= from &&
    callType === "score" &&
    (templates ? templates.some((pin) => tasks.has(pin.task)) : tasks.has(task));
  const batches = (await batchesOf(connection)).filter(mayHold);
  const found: FoundSample[] = [];
  for (const batch of batches) {
    for (const split of await readSplits(connection, batch)) {
      const keys = Array.from({ length: split.samples }, (_, ordinal) => keyOf(split, ordinal));
      const samples = await readSamples(connection, batch, keys);
      found.push(
        ...samples.filter(({ stored: { result } }) => result.usage.judgeCalls > 0 && tasks.has(result.task)),
      );
    }
  }
  return Map.groupBy(found, ({ stored }) => stored.result.task);
};

const judgedTask = async (connection: Ports, samples: readonly FoundSample[]): Promise<JudgedTask | null> => {
  const newest = samples.reduce<Result | null>(
    (latest, { stored: { result } }) =>
      latest === null || result.decidedAt > latest.decidedAt ? result : latest,
    null,
  );
  if (newest?.template == null || newest.fingerprint === null) return null;
  const template = await connection.templates.pinned(newest.template);
  const own = samples.filter(({ stored }) => stored.result.fingerprint === newest.fingerprint);
  const observed = await inParallel(own, 16, async (sample): Promise<readonly Observed[]> => {
    const seen = observe(sample.stored.result, template, await verdictsOf(connection, sample, template));
    return seen ? [seen] : [];
  });
  return {
    template,
    fingerprint: newest.fingerprint,
    parts: await partsOf(connection, newest, template),
    samples: observed.flat(),
  };
};

/** The sample's own record has the verdict that stands; what an adjudicator overruled is in the review tasks. */
export const verdictsOf = async (
  { reviews }: Ports,
  { key, stored: { result, verdict } }: FoundSample,
  { task, decision }: Template,
): Promise<HumanVerdicts> => {
  if (verdict === null || !isAudited(result.sampleId, task, decision.auditRate))
    return { first: verdict, adjudicated: null };
  const second = await reviews.get(reviewIdOf(key, "adjudicate"));
  if (!second?.verdict) return { first: verdict, adjudicated: null };
  const first = await reviews.get(reviewIdOf(key, result.audit ? "audit" : "review"));
  return { first: first?.verdict ?? null, adjudicated: second.verdict };
};
