/** Whether a task that is new in a certified family may join it, and the watch that it then begins with. */
import type { HeldCertificate } from "../../schema/trust.ts";
import type { Watch } from "../../schema/watch.ts";
import { type FloorTest, floorTest } from "../certificate/floor-test.ts";
import { calibrated, calibrationOf } from "../decide/vouching.ts";
import { newWatch } from "../watch/watch.ts";
import type { JudgedTask } from "./certify-family.ts";
import { withoutCopies } from "./evidence.ts";
import { isDrawn } from "./observed.ts";

export type Joining =
  | { readonly test: Extract<FloorTest, { kind: "passed" }>; readonly watch: Watch }
  | { readonly test: Exclude<FloorTest, { kind: "passed" }>; readonly watch: null };

/** By its own audits above the family's threshold, in the order they were drawn; it costs nothing of delta. */
export const joinFamily = (task: JudgedTask, held: HeldCertificate, now: number): Joining => {
  const { template, fingerprint, samples } = task;
  const { certificate } = held;
  const calibrate = calibrationOf(held.calibration, template.task);
  const confidenceOf = (raw: number | null): number => (raw === null ? 0 : calibrated({ calibrate }, raw));
  const isAccepted = (raw: number | null): boolean => confidenceOf(raw) >= certificate.tau;
  const audits = withoutCopies(samples).filter(
    (sample) => isAccepted(sample.raw) && isDrawn(sample, template.decision.auditRate),
  );
  // Hard ones wait longest, so the first that nobody has answered ends the row.
  const open = audits.findIndex(({ final }) => final === null);
  const answered = open < 0 ? audits : audits.slice(0, open);
  const test = floorTest(answered.map(({ final }) => final === false));
  if (test.kind !== "passed") return { test, watch: null };
  const watch = newWatch({
    ...{ task: template.task, certificate: certificate.id, fingerprint, alpha: certificate.alpha, at: now },
    ...{ n: answered.length, k: answered.filter(({ first }) => first === false).length },
    coverage: samples.filter(({ raw }) => isAccepted(raw)).length / Math.max(1, samples.length),
    confidences: samples.flatMap(({ raw }) => (raw === null ? [] : [confidenceOf(raw)])),
  });
  return { test, watch };
};
