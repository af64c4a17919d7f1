/** `submit`, `status` and `results` over real services, with INTAKE and SETTLE driven by hand. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { submitFolder } from "../../infra/cli/submit-folder.ts";
import { gist, result, templateYaml } from "../contract/records.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => await world?.close());

const sample = (id: string) => JSON.stringify({ id, input: "问", output: "答" });
const lines = (...ids: string[]) => ids.map((id) => `${sample(id)}\n`).join("");

describe("submit", () => {
  test("sends template, examples, media and, last, the batch files, whatever they are called", async () => {
    const example = `${JSON.stringify({ id: "e", output: "x", labels: { relevance: "A" } })}\n`;
    const dir = await world.folder("day 1", {
      "template.yaml": templateYaml("weird", 1),
      "examples.jsonl": example,
      "图 片/a+b 100%.png": "png",
      "s p+q%20中.jsonl": lines("s-1", "s-2"),
      "more.jsonl.gz": gzipSync(lines("m-1")),
    });
    const connection = await world.connect();
    const order: string[] = [];
    const sent = await submitFolder(connection, dir, {
      batch: "日 1",
      onProgress: ({ key }) => void order.push(key),
    });
    connection.close();
    expect(order).toEqual([
      "inbox/weird/日 1/图 片/a+b 100%.png",
      "inbox/weird/日 1/more.jsonl.gz",
      "inbox/weird/日 1/s p+q%20中.jsonl",
    ]);
    expect(sent).toMatchObject({ task: "weird", batch: "日 1", media: 1, warnings: [] });
    const taken = await world.takeIn("inbox/weird/日 1/s p+q%20中.jsonl");
    expect(sent.files[1]).toEqual({ key: "inbox/weird/日 1/s p+q%20中.jsonl", batchId: taken.batch });
    expect(await world.stored("templates/weird/examples.jsonl")).toBe(example);
    expect(await world.stored("inbox/weird/日 1/图 片/a+b 100%.png")).toBe("png");
  });

  test("a template that is unchanged is left alone, and a changed one gets time to be seen", async () => {
    const waits: number[] = [];
    const send = async (template: string) => {
      const dir = await world.folder("t", { "template.yaml": template, "s.jsonl": lines("s-1") });
      const connection = await world.connect();
      const sent = await submitFolder(connection, dir, { sleep: async (ms) => void waits.push(ms) });
      connection.close();
      return sent.warnings;
    };
    const head = () => world.blobs.head({ bucket: "contract", key: "templates/kept/template.yaml" });
    expect(await send(templateYaml("kept", 1))).toEqual([]);
    const first = await head();
    expect(await send(templateYaml("kept", 1))).toEqual([]);
    expect(await head()).toEqual(first);
    expect(waits).toEqual([]);
    expect(await send(`${templateYaml("kept", 1)}# changed\n`)).toEqual([
      expect.stringContaining("differs from the stored template, yet both are version 1"),
    ]);
    expect(waits).toEqual([5500]);
    expect(await send(templateYaml("kept", 2))).toEqual([]);
  });

  test("nothing is uploaded when the template is wrong, and the line is told", async () => {
    const dir = await world.folder("bad", {
      "template.yaml": templateYaml("bad", 1).replace("kind: label", "kind: lable"),
      "s.jsonl": lines("s-1"),
      "a.png": "png",
    });
    const { code, err, json } = await world.cli("submit", dir, "--json");
    expect(code).toBe(1);
    expect(err).toMatch(/^touchstone: .*template\.yaml: line 8, fields\.0\.kind: /);
    expect(json).toMatchObject({ error: { code: "failure" } });
    expect(await world.keys("inbox/bad/")).toEqual([]);
    expect(await world.keys("templates/bad/")).toEqual([]);
  });

  test.each([
    [{ "examples.jsonl": '{"id":"e","output":"x"}\n' }, [], 1, /examples\.jsonl: line 1, labels: /],
    [
      { "template.yaml": templateYaml("one", 1) },
      ["--task", "two"],
      1,
      /is the template of task "one", not of "two"/,
    ],
    [{}, ["--task", "Two!"], 2, /"Two!" is no task name/],
    [{}, ["--template-dir", "/nowhere"], 1, /\/nowhere holds no template\.yaml/],
  ])("%j with %j is refused", async (files, options, code, message) => {
    const dir = await world.folder("refused", { ...files, "s.jsonl": lines("s-1") });
    expect(await world.cli("submit", dir, ...options)).toMatchObject({
      code,
      err: expect.stringMatching(message),
    });
  });

  test("warns of a task without a template and of an empty file, in Chinese if asked", async () => {
    const dir = await world.folder("bare", { "s.jsonl": "" });
    const { code, out, json } = await world.cli("submit", dir, "--batch", "b 1", "--lang", "zh", "--json");
    expect([code, out.split("\n").length]).toEqual([0, 1]);
    expect(json).toMatchObject({
      ...{ task: "bare", batch: "b 1", media: 0 },
      warnings: [expect.stringContaining("还没有模版"), "s.jsonl 是空文件"],
    });
  });
});

describe("status and results", () => {
  test("follow a batch from its arrival to its files", async () => {
    const dir = await world.folder("flow", {
      "template.yaml": templateYaml("flow", 1),
      "s.jsonl": `${sample("f-1")}\n\n${sample("f-2")}\nnot json\n${sample("f-3")}\n`,
      "a.png": "png",
    });
    await world.cli("submit", dir, "--batch", "b1");
    const record = await world.takeIn("inbox/flow/b1/s.jsonl");

    const early = await world.cli("status", "--batch", "flow/b1", "--json");
    expect(early.json).toMatchObject({
      batches: [{ state: "scoring", counts: { total: 4, invalid: 1 }, undecided: 3, name: "b1/s.jsonl" }],
      missing: [
        { line: 1, exact: true, sampleId: "f-1" },
        { line: 3, exact: true, sampleId: "f-2" },
        { line: 5, exact: true, sampleId: "f-3" },
      ],
      files: [],
    });
    expect((await world.cli("status", "--batch", "flow/b1")).out).toContain("  line 3  f-2");
    expect((await world.cli("results", "--batch", "flow/b1", "--out", path.join(dir, "r"))).err).toMatch(
      /batch b1\/s\.jsonl has no result file yet: 3 samples have no outcome/,
    );

    await world.queue("Describe", { some: "message" });
    expect((await world.cli("status", "--batch", "flow/b1", "--lang", "zh")).out).toContain("识图中");

    const template = await world.pin("flow");
    const pictures = [{ ref: "a.png", hash: gist().hash, strategy: "mixed" as const, flags: [] }];
    const decided = result({
      ...{ task: "flow", sampleId: "f-1", template, gists: pictures },
      agrees: { relevance: true },
    });
    const fields = decided.fields.map((field) => ({ ...field, value: "A" }));
    await world.decide(record, 0, { ...decided, fields });
    await world.decide(record, 1, result({ task: "flow", sampleId: "f-2", line: 3, audit: true }));
    await world.decide(
      record,
      3,
      result({
        ...{ task: "flow", sampleId: "f-3", line: 5, decision: "failed", vouchedBy: null, fields: [] },
        reasons: [{ code: "gave-up", detail: "the judge failed 3 times" }],
      }),
    );
    await world.putGist(gist({ text: "一只猫\u001b[31m" }));

    const all = await world.cli("status", "--all", "--task", "flow");
    expect(all.out.split("\n").slice(0, 2)).toEqual([
      "task  batch       state  samples  machine  review  invalid  failed  reviewed  machine-review rate",
      "flow  b1/s.jsonl  final        4        2       0        1       1         0                66.7%",
    ]);
    const table = await world.cli("results", "--batch", "flow/b1", "--limit", "2");
    expect(table.out).toMatch(/ 1 {2}f-1 {5}machine {3}relevance=A good 0\.97 +confident enough/);
    expect(table.out).toContain("… and 2 more");
    const failed = await world.cli("results", "--batch", "flow/b1", "--decision", "failed", "--lang", "zh");
    expect(failed.out).toMatch(/f-3 {3}失败 .*多次尝试后放弃（the judge failed 3 times）/);

    const shown = await world.cli("results", "--sample", "f-1");
    expect(shown.out).toMatch(/machine · by the provisional threshold · uncertified/);
    expect(shown.out).toMatch(/Relevance {2}A good {2}0\.97 {2}from the model's token probabilities/);
    expect(shown.out).toContain("a.png (mixed)\n    一只猫\ufffd[31m");
    expect(shown.out).toContain("1 of 1 labelled fields agree");
    const audited = await world.cli("results", "--sample", "f-2", "--batch", "flow", "--json");
    expect(audited.json).toMatchObject({ sample: { sampleId: "f-2", audit: true }, alsoIn: [] });

    const both = await world.cli("status", "--batch", "jsonl", "--json");
    expect(both.json).toMatchObject({ batches: [{ task: "flow" }, { task: "weird" }] });

    const out = path.join(dir, "results.jsonl");
    expect(await world.cli("results", "--batch", "flow/b1", "--out", out)).toMatchObject({ code: 0 });
    const written = (await readFile(out, "utf8")).trim().split("\n");
    expect(written.map((line) => JSON.parse(line).sampleId)).toEqual(["f-1", "f-2", "line-4", "f-3"]);
  });

  test.each([
    [["results"], 2, /give --batch B, or --sample ID/],
    [["results", "--sample", "x", "--out", "f"], 2, /--out downloads the file of a batch/],
    [["results", "--batch", "flow", "--limit", "0"], 2, /--limit takes a whole number from 1, not "0"/],
    [["results", "--batch", "flow", "--decision", "good"], 2, /there is no decision "good"/],
    [["results", "--sample", "nobody"], 1, /no sample "nobody" has a result in \d+ batches/],
    [["results", "--batch", "nothing"], 1, /no batch has "nothing" in its id/],
    [["status", "--lang", "fr"], 2, /there is no language "fr"/],
    [["status", "--outputs", "/nowhere.json"], 1, /\/nowhere\.json is not readable as stack outputs/],
  ])("%j says what is wrong", async (args, code, message) => {
    const answer = await world.cli(...args);
    expect(answer).toMatchObject({ code, out: "", err: expect.stringMatching(message) });
    expect(answer.err).not.toContain("\n");
  });
});

describe("the command line", () => {
  test("every command has help with examples", async () => {
    for (const command of [
      "submit",
      "status",
      "results",
      "review",
      "review list",
      "review show",
      "review claim",
      "review verdict",
      "review release",
      "import",
      "import llmbar",
      "import gaokao-objective",
    ]) {
      const { code, out } = await world.cli(...command.split(" "), "--help");
      expect([command, code, /Examples?:\n {2}npm run touchstone -- /.test(out)]).toEqual([command, 0, true]);
    }
  });

  test.each([[[]], [["frobnicate"]], [["submit"]], [["status", "--frob"]]])(
    "%j is a usage error",
    async (args) => {
      expect((await world.cli(...args)).code).toBe(2);
      expect((await world.cli(...args, "--json")).json).toMatchObject({ error: { code: "usage" } });
    },
  );

  test("a stack that has gone away is told in one line", async () => {
    await world.moveEndpoint("http://127.0.0.1:9");
    const { code, err } = await world.cli("status");
    await world.moveEndpoint(world.session.endpoints.dynamodb);
    expect([code, err]).toEqual([
      1,
      "touchstone: nothing answers at 127.0.0.1:9; start it again with npm start",
    ]);
  });
});
