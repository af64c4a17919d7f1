/** What a split's results tell LEARN about the traffic of certified tasks. SETTLE sends it once the split is decided. */

import type { TrafficMessage } from "../../schema/learn.ts";
import type { SplitRecord } from "../../schema/ledger.ts";
import type { Result } from "../../schema/result.ts";
import type { TrafficSlice } from "../watch/watch.ts";

/** One message for each task, certificate and judge; none where no certificate was ever given. */
export const trafficMessages = (
  { batch, run, split }: Pick<SplitRecord, "batch" | "run" | "split">,
  results: readonly Result[],
): readonly TrafficMessage[] => {
  const judged = results.filter(
    ({ usage, certificate, callType }) => usage.judgeCalls > 0 && certificate && callType === "score",
  );
  const groups = Map.groupBy(judged, ({ task, certificate, fingerprint }) =>
    JSON.stringify([task, certificate?.id, certificate?.covers, fingerprint]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first?.certificate || !first.template || first.fingerprint === null) return [];
    return [
      {
        ...{ kind: "traffic" as const, schema: 1 as const, batch, run, split },
        task: first.task,
        template: first.template,
        certificate: first.certificate.id,
        fingerprint: first.fingerprint,
        covered: first.certificate.covers,
        judged: group.length,
        missing: group.filter(({ reasons }) => reasons.some(({ code }) => code === "missing-confidence"))
          .length,
        accepted: group.filter(({ certified }) => certified).length,
        confidences: group.flatMap(({ confidence }) =>
          confidence ? [Math.round((confidence.calibrated ?? confidence.raw) * 1e4) / 1e4] : [],
        ),
        decidedAt: group.reduce((newest, { decidedAt }) => Math.max(newest, decidedAt), 0),
      },
    ];
  });
};

/** For the watch; named after the samples, so that a redelivery counts once. */
export const trafficSlice = (message: TrafficMessage): TrafficSlice => {
  const { batch, run, split, confidences, judged, missing, accepted, decidedAt } = message;
  return { id: `${batch}#${run}#${split}`, confidences, judged, missing, accepted, at: decidedAt };
};
