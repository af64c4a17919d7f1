/** `certify` over a trust store in memory: when it looks at labels, what it spends, what it stores, who may join. */
import { newFamilyTrust, withVoid } from "@touchstone/core/domain/trust/family-trust";
import { describe, expect, test } from "vitest";
import { certifyTask } from "../../infra/cli/certify-task.ts";
import type { ObservedFamily } from "../../infra/cli/observe-family.ts";
import { judgedTask } from "../core/trust/observed-family.ts";
import { memoryTrustStore } from "../memory/memory-trust-store.ts";

const now = 1_700_000_000_000;
const first = judgedTask(1_000, 20);
const start = () => {
  const trust = memoryTrustStore();
  const observe = async (
    tasks: readonly ReturnType<typeof judgedTask>[],
    name = "t",
  ): Promise<ObservedFamily> => {
    const task = tasks.find(({ template }) => template.task === name);
    if (!task) throw new Error(`no task ${name}`);
    const evidence = {
      family: "f",
      tasks,
      calibration: null,
      fitShare: 0.4,
      pendingRule: "end-before" as const,
    };
    return { evidence, trust: await trust.family("f"), task };
  };
  const certify = async (tasks: readonly ReturnType<typeof judgedTask>[], name = "t", again = false) =>
    certifyTask({ trust }, await observe(tasks, name), { now, again });
  return { trust, certify };
};

describe("certify", () => {
  test("with fewer audits than a faultless judge needs looks at none and spends nothing", async () => {
    const { trust, certify } = start();
    const outcome = await certify([judgedTask(60, 0)]);
    expect(outcome).toMatchObject({ kind: "too-few", pending: 0 });
    expect(await trust.family("f")).toEqual(newFamilyTrust("f"));
  });

  test("stores the certificate and its watch; a second call finds it standing", async () => {
    const { trust, certify } = start();
    expect(await certify([first])).toMatchObject({
      kind: "tested",
      index: 1,
      certificate: { id: "f#sample#1" },
    });
    expect(await trust.watch("t")).toMatchObject({ certificate: "f#sample#1", fingerprint: "f-t" });
    expect(await certify([first])).toMatchObject({ kind: "standing" });
    expect(await trust.family("f")).toMatchObject({ certifications: 1 });
  });

  test("again spends another part of delta, also where nothing comes of it", async () => {
    const { trust, certify } = start();
    await certify([first]);
    expect(await certify([judgedTask(1_000, 900)], "t", true)).toMatchObject({
      ...{ kind: "tested", index: 2, certificate: null },
    });
    const standing = await trust.family("f");
    expect(standing.certifications).toBe(2);
    expect(standing.certificates.map(({ certificate }) => certificate.id)).toEqual(["f#sample#1"]);
  });

  test("after an alarm goes by what was judged since then alone, whatever the labels before say", async () => {
    const { trust, certify } = start();
    await certify([first]);
    await trust.changeFamily("f", (standing) =>
      withVoid(standing, "f#sample#1", { reason: "error-alarm", at: 1_500 }),
    );
    const later = { ...first, samples: first.samples.filter(({ decidedAt }) => decidedAt > 1_500) };
    const outcome = await certify([first]);
    expect(outcome).toMatchObject({
      kind: "tested",
      index: 2,
      certification: { pool: later.samples.length },
    });
    await trust.changeFamily("f", (standing) =>
      withVoid(standing, "f#sample#2", { reason: "error-alarm", at: 5_000 }),
    );
    expect(await certify([first])).toMatchObject({ kind: "too-few", audits: 0 });
  });

  test("a changed judge is tested anew by itself: its old certificate says nothing of it", async () => {
    const { certify } = start();
    await certify([first]);
    const changed = { ...first, fingerprint: "f-2", parts: { ...first.parts, model: "m2" } };
    expect(await certify([changed])).toMatchObject({ kind: "tested", index: 2 });
  });
});

describe("a task that is new in a certified family", () => {
  const joining = async (count: number, errors: number) => {
    const { trust, certify } = start();
    await certify([first]);
    const fresh = judgedTask(count, 0, "u");
    const samples = fresh.samples.map((sample, index) => ({
      ...sample,
      ...(index < errors ? { first: false, final: false } : {}),
    }));
    return { trust, outcome: await certify([first, { ...fresh, samples }], "u") };
  };

  test("waits until 59 of its audits are answered", async () => {
    const { outcome, trust } = await joining(30, 0);
    expect(outcome).toMatchObject({ kind: "floor", test: { kind: "waiting", needed: 59 } });
    expect(await trust.watch("u")).toBeNull();
  });

  test("joins with all of them right, at no price in delta, and is watched", async () => {
    const { outcome, trust } = await joining(200, 0);
    expect(outcome).toMatchObject({ kind: "floor", test: { kind: "passed" } });
    const { certifications, certificates } = await trust.family("f");
    expect(certifications).toBe(1);
    expect(Object.keys(certificates[0]?.certificate.tasks ?? {})).toEqual(["t", "u"]);
    expect(await trust.watch("u")).toMatchObject({ certificate: "f#sample#1", fingerprint: "f-u" });
  });

  test("does not join once one was wrong", async () => {
    const { outcome, trust } = await joining(200, 1);
    expect(outcome).toMatchObject({ kind: "floor", test: { kind: "failed" } });
    expect(Object.keys((await trust.family("f")).certificates[0]?.certificate.tasks ?? {})).toEqual(["t"]);
  });
});
