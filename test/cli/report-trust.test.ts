/** `report trust` and `canary` over a real ledger, results, verdicts and the file that the samples came from. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { isAudited } from "@touchstone/core/domain/decide/audit";
import { answerCertificate } from "@touchstone/core/domain/trust/family-trust";
import { newWatch } from "@touchstone/core/domain/watch/watch";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import { templatePinSchema } from "@touchstone/core/schema/template";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { result, splitRecord, taskId, templateYaml, verdict } from "../contract/records.ts";
import { certifiedTrust, simulatedSamples, template } from "../core/report/simulated-task.ts";
import { startWorld, type World } from "./world.ts";

const task = "talk";
const size = 60;
const idOf = (index: number): string => `t-${index}`;
const isDrawn = (index: number): boolean => isAudited(idOf(index), task, 0.5);
/** Every fifth goes to a person; the sample 0 is replayed and answered then. */
const isReview = (index: number): boolean => index % 5 === 0;

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const lines = Array.from({ length: size }, (_, index) =>
    JSON.stringify({ id: idOf(index), output: "答", meta: { level: index < 30 ? "<b>easy</b>" : "hard" } }),
  );
  const dir = await world.folder(task, {
    "template.yaml": `${templateYaml(task, 1)}decision: { auditRate: 0.5, alpha: 0.1 }\n`,
    "samples.jsonl": `${lines.join("\n")}\n`,
  });
  await world.cli("submit", dir, "--batch", "day");
  const record = await world.takeIn(`inbox/${task}/day/samples.jsonl`);
  const pin = templatePinSchema.parse(await world.pin(task));
  const judged = (index: number, isSent: boolean) =>
    result({
      ...{
        sampleId: idOf(index),
        task,
        line: index + 1,
        template: pin,
        decidedAt: 1_700_000_000_000 + index,
      },
      ...(isSent
        ? { decision: "review" as const, vouchedBy: null, reasons: [{ code: "low-confidence" as const }] }
        : {}),
      ...{ audit: !isSent && isDrawn(index), confidence: { raw: isSent ? 0.7 : 0.95, calibrated: null } },
      fields: [
        { id: "relevance", value: "A", confidence: { source: "logprob", raw: 0.95, calibrated: null } },
      ],
    });
  await Promise.all(
    lines.map(async (_, index) => {
      const key = { batch: record.batch, run: 1, split: 0, ordinal: index };
      await world.samples.record(key, judged(index, isReview(index)));
      if (isReview(index) || isDrawn(index))
        await world.samples.setVerdict(key, verdict({ values: { relevance: index === 7 ? "B" : "A" } }));
    }),
  );
  const again: BatchRecord = { ...record, run: 2, sealed: { splits: 1, samples: 1, at: 1 } };
  await world.ledger.open(again);
  await world.ledger.putSplit(
    splitRecord({ batch: record.batch, run: 2, samples: 1, tally: {}, outcomes: new Uint8Array(1) }),
  );
  await world.samples.record({ batch: record.batch, run: 2, split: 0, ordinal: 0 }, judged(0, false));
});
afterAll(async () => await world?.close());

const ask = (...args: readonly string[]) => world.cli("report", "trust", ...args);

describe("report trust", () => {
  const drawn = Array.from({ length: size }, (_, index) => index).filter(isDrawn);
  const audits = drawn.filter((index) => !isReview(index) || index === 0);

  test("adds up results, verdicts and groups; a replayed sample counts as it was judged last", async () => {
    const { code, json } = await ask(task, "--json");
    expect(code).toBe(0);
    expect(json).toMatchObject({
      ...{ task, family: "dialogue", judge: { model: "judge-1", fingerprint: "f00d" } },
      standing: { kind: "none", threshold: 0.9 },
      coverage: { samples: size, machine: 49, review: 11, gross: { rate: 49 / 60 }, audits: audits.length },
      acceptedError: { part: Number(isDrawn(7)), of: audits.filter((index) => index !== 0).length },
      strata: [
        {
          by: "level",
          values: [
            { value: "<b>easy</b>", samples: 30 },
            { value: "hard", samples: 30 },
          ],
        },
      ],
      forecast: { target: 0.97 },
      watch: null,
    });
  });

  test("writes a page of its own, in the language asked for, and says where", async () => {
    const file = path.join(world.root, "trust.html");
    const { code, out } = await ask(task, "--html", file, "--lang", "zh", "--hour-price", "60");
    expect([code, out]).toEqual([0, expect.stringContaining(`已写入 ${file}`)]);
    expect(out).toContain("本任务的机器答案尚未得到任何证明");
    const page = await readFile(file, "utf8");
    expect(page).toMatch(/^<!doctype html>\n<html lang="zh-CN">/);
    expect(page).toContain("&lt;b&gt;easy&lt;/b&gt;");
    expect(page).not.toContain("<b>easy</b>");
  });

  test.each([
    [["nobody"], 1, /no task "nobody"; the tasks are .*talk/],
    [["No Task", "--lang", "zh"], 1, /没有任务“No Task”/],
    [[task, "--target", "97"], 2, /--target takes a share of the samples like 0\.97/],
    [[task, "--audit-minutes", "0"], 2, /--audit-minutes takes a number above 0, not "0"/],
    [[task, "--days", "x"], 2, /--days/],
    [[], 2, /missing required argument 'task'/],
    [[task, "--html", "/nowhere/x.html"], 1, /cannot write \/nowhere\/x\.html/],
  ])("%j says what is right", async (args, code, message) => {
    expect(await ask(...args)).toMatchObject({ code, err: expect.stringMatching(message) });
  });
});

describe("canary", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `c-${index}`);
  let batch = "";

  test("says that a batch must be judged twice", async () => {
    const dir = await world.folder("canaries", {
      "samples.jsonl": ids
        .map((id) => `${JSON.stringify({ id, output: "答", labels: { relevance: "A" } })}\n`)
        .join(""),
    });
    await world.cli("submit", dir, "--task", task, "--batch", "frozen");
    const record = await world.takeIn(`inbox/${task}/frozen/samples.jsonl`);
    batch = record.batch;
    expect(await world.cli("canary", "--batch", batch)).toMatchObject({
      code: 1,
      err: expect.stringContaining("has one run only; judge it again first: replay --batch"),
    });
    const pin = templatePinSchema.parse(await world.pin(task));
    const outcomes = new Uint8Array(ids.length / 2).fill(0x11);
    const runs = [
      { run: 1, broken: 0 },
      { run: 2, broken: 8 },
      { run: 3, broken: 1 },
    ];
    for (const { run, broken } of runs) {
      await world.ledger.open({ ...record, run, sealed: { splits: 1, samples: ids.length, at: 1 } });
      const split = splitRecord({ batch: record.batch, run, samples: ids.length, tally: {}, outcomes });
      const standing = await world.ledger.split(record.batch, run, 0);
      if (standing) await world.ledger.writeSplit({ ...standing, outcomes, version: standing.version + 1 });
      else await world.ledger.putSplit(split);
      await Promise.all(
        ids.map((sampleId, index) =>
          world.samples.record(
            { batch: record.batch, run, split: 0, ordinal: index },
            result({
              ...{ sampleId, task, line: index + 1, template: pin, fingerprint: "f00d", decidedAt: 10 + run },
              agrees: { relevance: index >= broken },
            }),
          ),
        ),
      );
    }
  });

  test("tells a judge that has become worse by its answers, and ends with 1", async () => {
    const { code, json } = await world.cli("canary", "--batch", batch, "--run", "2", "--json");
    expect([code, json]).toEqual([
      1,
      expect.objectContaining({
        runs: [1, 2],
        samples: 12,
        broke: 8,
        mended: 0,
        p: expect.closeTo(0.0078125, 9),
        watch: "none",
      }),
    ]);
    const { code: fine, out } = await world.cli("canary", "--batch", batch, "--against", "1", "--lang", "zh");
    expect(fine).toBe(0);
    expect(out).toContain("1 个由对变错，0 个由错变对，p = 1.0");
  });

  test("voids the certificate whose judge it was, and no other's", async () => {
    const connection = await world.connect();
    const trust = { ...certifiedTrust(simulatedSamples(4_000, 0.9), template({ alpha: 0.1 })), version: 1 };
    const id = answerCertificate(trust)?.certificate.id ?? "";
    const watch = newWatch({
      ...{ task: taskId(task), certificate: id, n: 500, k: 5, alpha: 0.03, coverage: 0.9, at: 1 },
      ...{ fingerprint: "f00d", confidences: [0.9, 0.99] },
    });
    await connection.trust.changeFamily("dialogue", () => trust);
    await connection.trust.changeWatch(task, () => ({ ...watch, fingerprint: "beef" }));
    const other = await world.cli("canary", "--batch", batch, "--run", "2", "--json");
    expect(other.json).toMatchObject({ watch: "other-judge", alarm: null });
    await connection.trust.changeWatch(task, () => ({ ...watch, version: 1 }));
    const own = await world.cli("canary", "--batch", batch, "--run", "2", "--json");
    expect(own.json).toMatchObject({ watch: "told", alarm: { kind: "canary-flips" } });
    const { certificates } = await connection.trust.family("dialogue");
    expect(certificates[0]?.certificate.state).toMatchObject({ kind: "void", reason: "canary-flips" });
    connection.close();
  });
});
