/** What `touchstone canary` does: compares two runs of a batch, and tells the watch over its task. */
import { answerCertificate, withVoid } from "@touchstone/core/domain/trust/family-trust";
import {
  type CanaryComparison,
  type CanaryPair,
  compareCanaries,
} from "@touchstone/core/domain/watch/canary";
import { withCanary } from "@touchstone/core/domain/watch/watch";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Template } from "@touchstone/core/schema/template";
import type { Watch } from "@touchstone/core/schema/watch";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";
import { type FoundSample, keyOf, readSamples } from "./find-sample.ts";
import { failure } from "./problem.ts";
import { canaryProblems } from "./words/canary-words.ts";

type Ports = Pick<Connection, "ledger" | "samples" | "templates" | "trust">;

export interface CanaryOutcome extends CanaryComparison {
  readonly task: string;
  readonly runs: readonly [before: number, after: number];
  readonly fingerprints: readonly [before: readonly string[], after: readonly string[]];
  /** `none`: nothing is certified; `other-judge`: not the certified judge alone answered, so the watch heard nothing. */
  readonly watch: "told" | "none" | "other-judge";
  readonly alarm: Watch["alarm"];
}

/** Of samples that both runs judged for the task of the batch. */
export const compareRuns = async (
  connection: Ports,
  before: BatchRecord,
  after: BatchRecord,
): Promise<CanaryOutcome> => {
  const [earlier, later] = [await byLine(connection, before), await byLine(connection, after)];
  const pairs = [...later].flatMap(([line, sample]): CanaryPair[] => {
    const was = earlier.get(line);
    return was ? [{ before: was.stored, after: sample.stored }] : [];
  });
  const pin = pairs.at(-1)?.after.result.template;
  if (!pin) throw failure(canaryProblems.nothingShared(before.run, after.run));
  const template = await connection.templates.pinned(pin);
  const compared = compareCanaries(pairs, template);
  if (compared.samples === 0) throw failure(canaryProblems.noTruth(pairs.length));
  const fingerprints = [fingerprintsOf(earlier), fingerprintsOf(later)] as const;
  const at = Math.max(...pairs.map((pair) => pair.after.result.decidedAt));
  return {
    ...compared,
    ...{ task: template.task, runs: [before.run, after.run] as const, fingerprints },
    ...(await tellWatch(connection, template, compared, fingerprints.flat(), at)),
  };
};

const byLine = async (connection: Ports, run: BatchRecord): Promise<ReadonlyMap<number, FoundSample>> => {
  const found = new Map<number, FoundSample>();
  for (const split of await readSplits(connection, run)) {
    const keys = Array.from({ length: split.samples }, (_, ordinal) => keyOf(split, ordinal));
    for (const sample of await readSamples(connection, run, keys)) {
      const { task, line, usage } = sample.stored.result;
      if (task === run.task && usage.judgeCalls > 0) found.set(line, sample);
    }
  }
  return found;
};

const fingerprintsOf = (samples: ReadonlyMap<number, FoundSample>): readonly string[] => [
  ...new Set([...samples.values()].flatMap(({ stored }) => stored.result.fingerprint ?? [])),
];

/** The watch first, then the certificate: LEARN voids it at the next event, should this process die in between. */
const tellWatch = async (
  { trust }: Ports,
  { task, family }: Template,
  { samples, broke, mended }: CanaryComparison,
  fingerprints: readonly string[],
  at: number,
): Promise<Pick<CanaryOutcome, "watch" | "alarm">> => {
  const standing = await trust.watch(task);
  const held = answerCertificate(await trust.family(family));
  if (!standing || held?.certificate.id !== standing.certificate) return { watch: "none", alarm: null };
  if (fingerprints.some((fingerprint) => fingerprint !== standing.fingerprint))
    return { watch: "other-judge", alarm: null };
  const watch = await trust.changeWatch(task, (now) =>
    now?.certificate === standing.certificate ? withCanary(now, { samples, broke, mended, at }) : now,
  );
  const alarm = watch?.alarm ?? null;
  if (watch && alarm) {
    const because = { reason: alarm.kind, detail: `${task}: ${alarm.detail}`.slice(0, 400), at: alarm.at };
    await trust.changeFamily(family, (now) => withVoid(now, watch.certificate, because));
  }
  return { watch: "told", alarm };
};
