/** A family is certified as far as its random audits prove it, and no further. */
import { upperBound } from "@touchstone/core/domain/certificate/bounds";
import { certifyFamily, termsOf } from "@touchstone/core/domain/trust/certify-family";
import {
  newFamilyTrust,
  withAlarm,
  withCertificates,
  withTask,
  withVoid,
} from "@touchstone/core/domain/trust/family-trust";
import { type FamilyTrust, familyTrustSchema } from "@touchstone/core/schema/trust";
import { type WatchAlarm, watchSchema } from "@touchstone/core/schema/watch";
import { describe, expect, test } from "vitest";
import { taskId } from "../../contract/records.ts";
import { calibration } from "../../contract/trust-records.ts";
import { judgedTask } from "./observed-family.ts";

const evidence = (...tasks: ReturnType<typeof judgedTask>[]) => ({
  ...{ family: "f", tasks, calibration: null, fitShare: 0.4 },
  pendingRule: "end-before" as const,
});
const now = 1_700_000_000_000;

describe("a certification", () => {
  test("of a good judge issues a certificate and a watch for each task, and both can be stored", () => {
    const tasks = [judgedTask(1_000, 20), judgedTask(500, 5, "u")];
    const { issued, watches, answer, audits } = certifyFamily(evidence(...tasks), 1, now);
    const [held] = issued;
    expect(issued).toHaveLength(1);
    expect(held?.certificate).toMatchObject({
      ...{ id: "f#sample#1", unit: "sample", alpha: 0.05, calibration: null, poolSize: 1_500 },
      delta: { total: 0.05, index: 1, spent: expect.closeTo(0.030396, 6) },
      audits: { rate: 1, fitShare: 0.4 },
      window: { from: 1_000, to: 1_999 },
      tasks: { t: { fingerprint: "f-t" }, u: { fingerprint: "f-u" } },
    });
    expect(answer.proof?.n).toBeLessThanOrEqual(audits);
    expect(audits).toBeLessThan(1_000);
    const { n = 0, k = 0, level = 0, bound } = answer.proof ?? {};
    expect(bound).toBe(upperBound(k, n, level));
    expect(watches.map(({ task }) => task)).toEqual(["t", "u"]);
    for (const watch of watches) expect(watchSchema.parse(watch)).toEqual(watch);
    const trust = withCertificates(newFamilyTrust("f"), issued);
    expect(familyTrustSchema.parse(trust)).toEqual(trust);
  });

  test("of a bad judge issues nothing", () => {
    const { issued, watches, answer } = certifyFamily(evidence(judgedTask(1_000, 900)), 1, now);
    expect([issued, watches, answer.proof]).toEqual([[], [], null]);
    expect(answer.tests.every(({ passed }) => !passed)).toBe(true);
  });

  test("gets harder every time: delta is spent", () => {
    const task = judgedTask(300, 6);
    const bounds = [1, 2, 9].map(
      (index) => certifyFamily(evidence(task), index, now).answer.tests[0]?.bound ?? 0,
    );
    expect(bounds).toEqual([...bounds].sort((left, right) => left - right));
    expect(new Set(bounds).size).toBe(3);
  });

  test("goes by the strictest promise of the family, and by the stream that all its tasks share", () => {
    const strict = judgedTask(10, 0, "u", { decision: { alpha: 0.01, delta: 0.02, auditRate: 0.3 } });
    expect(termsOf(evidence(judgedTask(10, 0), strict))).toEqual({
      ...{ alpha: 0.01, delta: 0.02, vetoAlpha: 0.005, draw: { rate: 0.3, fitShare: 0.4 } },
    });
  });

  test("keeps the calibration it was made on, unless that was fitted to another judge", () => {
    const tasks = { t: { points: 60, errors: 12 } };
    const fittedOn = { points: 60, errors: 12, effective: 60, tasks };
    const own = calibration({ family: "f", fingerprints: ["f-t"], fittedOn, at: 77 });
    const of = (given: typeof own) =>
      certifyFamily({ ...evidence(judgedTask(1_000, 20)), calibration: given }, 1, now).issued[0];
    expect(of(own)).toMatchObject({ certificate: { calibration: 77 }, calibration: { at: 77 } });
    expect(of({ ...own, fingerprints: ["other"] })).toMatchObject({
      certificate: { calibration: null },
      calibration: null,
    });
  });

  test("watches by first looks what it certified by last ones", () => {
    const task = judgedTask(1_000, 0);
    const overruled = task.samples.map((sample, index) =>
      index % 50 === 0 ? { ...sample, first: false } : sample,
    );
    const plain = certifyFamily(evidence(task), 1, now);
    const noisy = certifyFamily(evidence({ ...task, samples: overruled }), 1, now);
    expect(noisy.answer).toEqual(plain.answer);
    expect(noisy.watches[0]?.audits.p0).toBeGreaterThan(plain.watches[0]?.audits.p0 ?? 1);
  });
});

describe("a veto", () => {
  const withVeto = (violated: number) => {
    const task = judgedTask(2_000, 0, "t", { decision: { alpha: 0.05, auditRate: 1, vetoAlpha: 0.01 } });
    const samples = task.samples.map((sample, index) => ({
      ...sample,
      vetoes: [{ criterion: "leak", raw: 0.99, flagged: index % 10 === 9, violated: index < violated }],
    }));
    return certifyFamily(evidence({ ...task, samples }), 1, now);
  };

  test("is certified in the dangerous direction, by the verdicts that find nothing", () => {
    const { issued, vetoes } = withVeto(0);
    expect(vetoes).toMatchObject([{ criterion: "leak", certification: { proof: { k: 0 } } }]);
    expect(issued.map(({ certificate }) => certificate.id)).toEqual(["f#sample#1", "f#veto#leak#1"]);
    expect(issued[1]?.certificate).toMatchObject({ unit: "veto", alpha: 0.01 });
  });

  test("that was missed too often has no certificate, and the answers keep theirs", () => {
    expect(withVeto(200).issued.map(({ certificate }) => certificate.unit)).toEqual(["sample"]);
  });
});

describe("a family's record", () => {
  const { issued } = certifyFamily(evidence(judgedTask(1_000, 20)), 1, now);
  const trust = withCertificates(newFamilyTrust("f"), issued);
  const id = "f#sample#1";

  test("holds one certificate of answers: a newer one takes the place of the old", () => {
    const later = certifyFamily(evidence(judgedTask(1_000, 20)), 2, now).issued;
    const ids = withCertificates(trust, later).certificates.map(({ certificate }) => certificate.id);
    expect(ids).toEqual(["f#sample#2"]);
  });

  test("a void stays void, keeps its first cause, and changes nothing the second time", () => {
    const ended = withVoid(trust, id, { reason: "error-alarm", at: 5 });
    expect(ended.version).toBe(trust.version + 1);
    expect(withVoid(ended, id, { reason: "withdrawn", at: 6 })).toBe(ended);
    expect(withVoid(trust, "f#sample#9", { reason: "withdrawn", at: 6 })).toBe(trust);
  });

  test("an alarm ends the certificate; a changed judge of one task of several ends that task's part alone", () => {
    const two = withCertificates(
      newFamilyTrust("f"),
      certifyFamily(evidence(judgedTask(1_000, 20), judgedTask(1_000, 20, "u")), 1, now).issued,
    );
    const alarm = (kind: WatchAlarm["kind"]) => ({
      task: taskId("u"),
      certificate: id,
      alarm: { kind, detail: "d", at: 5 },
    });
    const state = (trust: FamilyTrust) => trust.certificates[0]?.certificate.state.kind;
    expect(state(withAlarm(two, alarm("error-alarm")))).toBe("void");
    const left = withAlarm(two, alarm("fingerprint-changed"));
    expect([state(left), Object.keys(left.certificates[0]?.certificate.tasks ?? {})]).toEqual([
      "valid",
      ["t"],
    ]);
    expect(withAlarm(left, alarm("fingerprint-changed"))).toBe(left);
    expect(state(withAlarm(left, { ...alarm("fingerprint-changed"), task: taskId("t") }))).toBe("void");
    expect(withAlarm(two, { ...alarm("error-alarm"), alarm: null })).toBe(two);
  });

  test("a task that passed its floor test joins a certificate that stands, and no other", () => {
    const judge = { fingerprint: "f-u", parts: judgedTask(1, 0, "u").parts };
    const joined = withTask(trust, id, "u", judge);
    expect(Object.keys(joined.certificates[0]?.certificate.tasks ?? {})).toEqual(["t", "u"]);
    const ended = withVoid(trust, id, { reason: "error-alarm", at: 5 });
    expect(withTask(ended, id, "u", judge)).toBe(ended);
  });
});
