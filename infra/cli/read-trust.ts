/** Gathers what the trust report is made from: results, verdicts and groups of one task, and what its family is trusted with. */
import { defaultFitShare, labelUse } from "@touchstone/core/domain/certificate/label-use";
import { vouchingOf } from "@touchstone/core/domain/decide/vouching";
import type { SampleStrata } from "@touchstone/core/domain/report/sample-strata";
import type { TrustReportInput } from "@touchstone/core/domain/report/trust-report";
import type { TrustSample } from "@touchstone/core/domain/report/trust-sample";
import { isDrawn, observe } from "@touchstone/core/domain/trust/observed";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Template } from "@touchstone/core/schema/template";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";
import { batchesOf } from "./find-batch.ts";
import { type FoundSample, keyOf, readSamples } from "./find-sample.ts";
import { partsOf } from "./judge-parts.ts";
import { verdictsOf } from "./observe-family.ts";
import { failure } from "./problem.ts";
import { strataByLine } from "./trust-strata.ts";
import { reportProblems } from "./words/trust-report-words.ts";

type Ports = Pick<
  Connection,
  "ledger" | "samples" | "reviews" | "templates" | "trust" | "blobs" | "uploadsBucket"
>;
export type TrustEvidence = Pick<
  TrustReportInput,
  "template" | "judge" | "trust" | "watch" | "samples" | "fitShare"
>;

/** A sample of the task, with what it belongs to. */
interface Placed extends FoundSample {
  readonly belongs: SampleStrata | undefined;
}

/**
 * Of the newest run of each sample whose batch arrived since `from` (epoch milliseconds), what the newest judge judged,
 * and what needed no judge since that one began. `onProgress` hears how many batches and samples have been read.
 */
export const readTrust = async (
  connection: Ports,
  name: string,
  from: number,
  onProgress: (batches: number, samples: number) => void,
): Promise<TrustEvidence> => {
  const { template, watch } = await taskNamed(connection, name);
  const trust = await connection.trust.family(template.family);
  const placed = await samplesOf(connection, name, from, onProgress);
  const newest = placed
    .filter(({ stored: { result } }) => result.fingerprint !== null && result.judge !== null)
    .reduce<Placed | null>(
      (last, sample) => (last && decidedAt(last) >= decidedAt(sample) ? last : sample),
      null,
    );
  const result = newest?.stored.result;
  const fingerprint = result?.fingerprint ?? null;
  const judge =
    result && fingerprint !== null
      ? {
          ...{ task: name, fingerprint, model: result.judge ?? "" },
          parts: await partsOf(connection, result, await pinnedOr(connection, result.template, template)),
        }
      : null;
  const calibrate = judge && vouchingOf(template, judge, trust).calibrate;
  const samples = await inParallel(ofJudge(placed, fingerprint), 16, (sample) =>
    trustSample(connection, sample, template, calibrate),
  );
  return { template, judge, trust, watch, samples, fitShare: defaultFitShare };
};

const decidedAt = ({ stored }: FoundSample): number => stored.result.decidedAt;

const taskNamed = async ({ templates, trust }: Ports, name: string) => {
  const task = taskIdSchema.safeParse(name);
  const current = task.success ? await templates.current(task.data) : null;
  if (current === null) throw failure(reportProblems.noTask(name, await templates.tasks()));
  return { template: current.template, watch: await trust.watch(name) };
};

const pinnedOr = async (
  { templates }: Ports,
  pin: FoundSample["stored"]["result"]["template"],
  current: Template,
): Promise<Template> => (pin === null ? current : await templates.pinned(pin));

/** Trials and analyses are no traffic; a sample that was replayed counts as it was judged last. */
const samplesOf = async (
  connection: Ports,
  task: string,
  from: number,
  onProgress: (batches: number, samples: number) => void,
): Promise<readonly Placed[]> => {
  const mayHold = ({ task: own, templates, arrivedAt, callType }: BatchRecord): boolean =>
    arrivedAt >= from &&
    callType === "score" &&
    (own === task || (templates ?? []).some((pin) => pin.task === task));
  const newestFirst = (await batchesOf(connection))
    .filter(mayHold)
    .sort((left, right) => right.run - left.run);
  const found = new Map<string, Placed>();
  let batches = 0;
  for (const runs of Map.groupBy(newestFirst, ({ batch }) => batch).values()) {
    const belongs = runs[0] ? await strataByLine(connection, runs[0]) : new Map<number, SampleStrata>();
    for (const batch of runs) {
      for (const split of await readSplits(connection, batch)) {
        const keys = Array.from({ length: split.samples }, (_, ordinal) => keyOf(split, ordinal));
        for (const sample of await readSamples(connection, batch, keys)) {
          const { line, task: own } = sample.stored.result;
          const name = JSON.stringify([batch.batch, line]);
          if (own === task && !found.has(name)) found.set(name, { ...sample, belongs: belongs.get(line) });
        }
      }
      batches += 1;
      onProgress(batches, found.size);
    }
  }
  return [...found.values()];
};

/** All of them where no judge was ever asked. */
const ofJudge = (samples: readonly Placed[], fingerprint: string | null): readonly Placed[] => {
  if (fingerprint === null) return samples;
  const own = samples.filter(({ stored }) => stored.result.fingerprint === fingerprint);
  const began = own.reduce((first, sample) => Math.min(first, decidedAt(sample)), Number.POSITIVE_INFINITY);
  const unjudged = samples.filter(
    (sample) => sample.stored.result.fingerprint === null && decidedAt(sample) >= began,
  );
  return [...own, ...unjudged];
};

const trustSample = async (
  connection: Ports,
  sample: Placed,
  template: Template,
  calibrate: ((raw: number) => number) | null,
): Promise<TrustSample> => {
  const { result, verdict } = sample.stored;
  const seen = observe(result, template, await verdictsOf(connection, sample, template));
  const isPart = seen !== null && isDrawn(seen, template.decision.auditRate);
  const raw = seen?.raw ?? null;
  return {
    id: result.sampleId,
    likeness: result.likeness,
    decision: result.decision,
    reasons: result.reasons,
    vouchedBy: result.vouchedBy,
    raw,
    calibrated: raw === null || calibrate === null ? null : calibrate(raw),
    isAudit: result.audit,
    isRight: seen?.final ?? null,
    isChecked: verdict !== null,
    drawn: isPart ? labelUse(seen.likeness, seen.task, defaultFitShare) : null,
    strata: sample.belongs?.strata ?? {},
    length: sample.belongs?.length ?? null,
    decidedAt: result.decidedAt,
  };
};
