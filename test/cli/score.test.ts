/** `touchstone score`: recorded answers to decisions, with nothing running. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../../infra/cli/run-cli.ts";
import { token } from "../core/confidence/tokens.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "touchstone-score-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const template = `
task: greet
version: 3
family: test
title: { zh: 问候, en: Greeting }
standard: Y if the output greets, N if not.
fields:
  - id: ok
    kind: label
    title: greets
    labels:
      - { code: "Y", name: yes }
      - { code: "N", name: no }
judge: { language: en }
decision: { provisionalThreshold: 0.9, auditRate: 0 }
`;

const finished = (content: string, logprobs: object | null = null, finish_reason = "stop") => ({
  model: "judge-7b",
  choices: [{ finish_reason, message: { content }, logprobs }],
  usage: { prompt_tokens: 100, completion_tokens: 9 },
});
const verdict = (p: number) => {
  const tokens = [
    token('{"explanation":"it greets","fields":{"ok":"'),
    token("Y", p, { N: 1 - p }),
    token('"}}'),
  ];
  return finished(tokens.map((one) => one.token).join(""), { content: tokens });
};

const files = async (content: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
  for (const [name, text] of Object.entries(content)) {
    await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
    await writeFile(path.join(dir, name), text);
  }
};
const jsonl = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const run = async (...args: readonly string[]) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(["score", ...args], {
    root: dir,
    env: { LANG: "en" },
    now: () => 1_700_000_000_000,
    stdout: (line) => void out.push(line),
    stderr: (line) => void err.push(line),
    isColored: false,
    connect: () => Promise.reject(new Error("score must not connect to anything")),
  });
  const json: unknown = args.includes("--json") ? JSON.parse(out.at(-1) ?? "null") : null;
  return { code, out: out.join("\n"), err: err.join("\n"), json };
};
const score = (samples: string, answers: string, ...more: readonly string[]) =>
  run(path.join(dir, samples), "--answers", path.join(dir, answers), ...more);

const outputs = (...ids: readonly string[]) => jsonl(...ids.map((id) => ({ id, output: `hello ${id}` })));

describe("score", () => {
  test("decides every sample as SCORE would, without anything running", async () => {
    await files({
      "t/template.yaml": template,
      "t/s.jsonl": `${outputs("sure", "unsure", "fenced", "refused", "range", "cut", "bare")}{broken\n`,
      "t/a.jsonl": jsonl(
        verdict(0.99),
        verdict(0.6),
        finished('```json\n{"fields":{"ok":"Y"}}\n```'),
        { choices: [{ finish_reason: "stop", message: { content: null, refusal: "I cannot" } }] },
        finished('{"fields":{"ok":"7"}}'),
        finished('{"fields":{"ok":"Y"', null, "length"),
        finished('{"fields":{"ok":"N"}}'),
      ),
    });
    const { code, json, err } = await score("t/s.jsonl", "t/a.jsonl", "--task", "greet", "--json");
    expect([code, err]).toMatchObject([0, expect.stringContaining("8 samples, machine-review rate 14.3")]);
    expect(json).toMatchObject({
      task: "greet",
      samples: 8,
      counts: { machine: 1, review: 6, invalid: 1, failed: 0 },
      results: [
        { sampleId: "sure", decision: "machine", judge: "judge-7b", fields: [{ value: "Y" }] },
        {
          decision: "review",
          reasons: [{ code: "low-confidence" }],
          fields: [{ value: null, distribution: { Y: 0.6 } }],
        },
        { decision: "review", reasons: [{ code: "missing-confidence" }], format: ["json"] },
        { decision: "review", reasons: [{ code: "answer-refused" }] },
        { decision: "review", reasons: [{ code: "value-not-allowed" }], format: ["allowed"] },
        { decision: "review", reasons: [{ code: "answer-cut" }], format: ["json"] },
        { decision: "review", reasons: [{ code: "missing-confidence" }] },
        { decision: "invalid", reasons: [{ code: "bad-line" }] },
      ],
    });
  });

  test("takes the lines of batch tools by sample id, and gzip", async () => {
    const line = (custom_id: string, body: object) => ({
      id: "r",
      custom_id,
      response: { status_code: 200, body },
    });
    await files({
      "b/template.yaml": template,
      "b/s.jsonl.gz": gzipSync(outputs("one", "two")),
      "b/a.jsonl": jsonl(line("two", verdict(0.6)), line("one", verdict(0.99))),
    });
    const { json } = await score("b/s.jsonl.gz", "b/a.jsonl", "--task", "greet", "--json");
    expect(json).toMatchObject({
      results: [
        { sampleId: "one", decision: "machine" },
        { sampleId: "two", decision: "review" },
      ],
    });
  });

  test("takes any template, and no answer where code has one", async () => {
    const exact = `${template}scorers:\n  - { field: ok, kind: exact-text, right: "Y", wrong: "N" }\n`;
    await files({
      "e/exact.yaml": exact,
      "e/s.jsonl": jsonl({ id: "e", output: "hello", reference: "Hello." }),
      "e/a.jsonl": "",
    });
    const { json } = await score(
      "e/s.jsonl",
      "e/a.jsonl",
      "--template",
      path.join(dir, "e/exact.yaml"),
      "--json",
    );
    expect(json).toMatchObject({ results: [{ decision: "machine", vouchedBy: "exact", judge: null }] });
  });

  test.each([
    ["no template", ["s.jsonl", "a.jsonl"], 2, /give --task T or --template FILE/],
    [
      "another task",
      ["s.jsonl", "a.jsonl", "--task", "other"],
      1,
      /no template of task "other" at .*template\.yaml/,
    ],
    ["too few answers", ["s.jsonl", "few.jsonl", "--task", "greet"], 1, /2 samples have no recorded answer/],
    [
      "no completion",
      ["s.jsonl", "list.jsonl", "--task", "greet"],
      1,
      /list\.jsonl: line 2: answered a JSON list/,
    ],
    ["no answers", ["s.jsonl", "none.jsonl", "--task", "greet"], 1, /cannot read .*none\.jsonl/],
  ])("%s is said", async (_, [samples, answers, ...more], code, message) => {
    await files({
      "p/template.yaml": template,
      "p/s.jsonl": outputs("a", "b", "c"),
      "p/few.jsonl": jsonl(verdict(0.99)),
      "p/a.jsonl": jsonl(verdict(0.99), verdict(0.99), verdict(0.99)),
      "p/list.jsonl": `${jsonl(verdict(0.99))}[{"generated_text":"x"}]\n`,
    });
    const ended = await score(`p/${samples}`, `p/${answers}`, ...more);
    expect([ended.code, ended.err]).toEqual([code, expect.stringMatching(message)]);
  });
});
