/** `budget` and `submit --estimate` over real services: what is shown, what is set, what is refused. */
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamoBudgetStore } from "../../functions/_aws/dynamo-budget-store.ts";
import { countSamples } from "../../infra/cli/count-samples.ts";
import { taskId, templateYaml } from "../contract/records.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world?.close());

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ id: `s-${index}`, output: "答" })}\n`).join(
    "",
  );
const budgeted = (task: string, calls: number): string =>
  `${templateYaml(task, 1)}\nbudget: { judgeCallsPerBatch: ${calls} }\n`;

describe("submit --estimate", () => {
  test("counts samples of every file, sends nothing, and says who would wait", async () => {
    const dir = await world.folder("guess", {
      "template.yaml": budgeted("guess", 3),
      "a.jsonl": `\n${lines(5)}\n \r\n`,
      "b.jsonl.gz": gzipSync(lines(2)),
      "c.csv": 'id,output\r\n1,"two\nlines"\r\n\r\n2,b\r\n',
    });
    const given = await world.cli("submit", dir, "--estimate", "--json");
    expect(given).toMatchObject({
      code: 0,
      json: { task: "guess", samples: 9, calls: { least: 9, most: 18 }, budget: 3, waiting: 2 },
    });
    expect(given.err).toMatch(/in the best case 2 samples will wait until somebody raises it/);
    expect(given.err).toMatch(/budget of 3 calls holds for each file by itself/);
    expect(await world.keys("inbox/guess/")).toEqual([]);
    expect(await world.pin("guess")).toBeNull();
  });

  test.each([
    [{ "s.jsonl": lines(1) }, /task "nobody" has no template yet/],
    [
      { "template.yaml": templateYaml("nobody", 1), "s.jsonl.gz": "no gzip" },
      /s\.jsonl\.gz cannot be read to its end/,
    ],
  ])("%j is refused", async (files, message) => {
    const dir = await world.folder("nobody", files);
    expect(await world.cli("submit", dir, "--estimate")).toMatchObject({
      code: 1,
      err: expect.stringMatching(message),
    });
  });

  test("a file without a final newline has its last sample", async () => {
    const dir = await world.folder("bare", { "s.jsonl": '{"id":"a"}\n{"id":"b"}' });
    expect(await countSamples(path.join(dir, "s.jsonl"), () => new Error("unreadable"))).toBe(2);
  });
});

describe("budget", () => {
  test("shows the template's, then what is spent of it; a higher one lets samples go on", async () => {
    const dir = await world.folder("money", {
      "template.yaml": budgeted("money", 2),
      "s.jsonl": lines(4),
    });
    await world.cli("submit", dir, "--batch", "b1");
    const { batch } = await world.takeIn("inbox/money/b1/s.jsonl");
    expect((await world.cli("budget", "--batch", "money", "--json")).json).toMatchObject({
      undecided: 4,
      needed: { least: 4, most: 8 },
      budgets: [{ task: "money", limit: 2, spent: 0, left: 2 }],
    });
    const store = dynamoBudgetStore(world.dynamo.tasks);
    await store.take({ batch, run: 1, task: taskId("money") }, 2, 2);
    const status = await world.cli("status", "--batch", "money");
    expect(status.out).toMatch(/budget of 2 judge calls for money is spent.*touchstone budget/);

    const same = await world.cli("budget", "--batch", "money", "--calls", "2");
    expect(same.out).toMatch(/2 calls are spent already, so the samples go on waiting/);
    const raised = await world.cli("budget", "--batch", "money", "--calls", "4");
    expect(raised.out).toMatch(
      /money may make 4 judge calls in this batch\nSWEEP sends the waiting samples again/,
    );
    expect(raised.out).toMatch(/4 samples have no outcome yet: they need 4 calls, and at most 8/);
    expect(await store.read(batch, 1)).toMatchObject([{ limit: 4, left: 2, resumedAt: expect.any(Number) }]);
  });

  test.each([
    [["budget"], 2, /required option '--batch <part>'/],
    [["budget", "--batch", "money", "--calls", "0"], 2, /--calls takes a whole number from 1, not "0"/],
    [
      ["budget", "--batch", "money", "--calls", "5", "--task", "other"],
      1,
      /no budget limits the judge calls of other/,
    ],
    [["budget", "--batch", "nowhere"], 1, /no batch has "nowhere" in its id/],
  ])("%j is refused", async (args, code, message) => {
    expect(await world.cli(...args)).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  test("a batch without one says so, in Chinese too", async () => {
    const dir = await world.folder("free", { "template.yaml": templateYaml("free", 1), "s.jsonl": lines(1) });
    await world.cli("submit", dir, "--batch", "b1");
    await world.takeIn("inbox/free/b1/s.jsonl");
    expect((await world.cli("budget", "--batch", "free")).out).toMatch(/^No budget limits/);
    expect((await world.cli("budget", "--batch", "free", "--lang", "zh")).out).toMatch(/没有评审调用预算/);
    expect(await world.cli("budget", "--batch", "free", "--calls", "9")).toMatchObject({ code: 1 });
  });
});
