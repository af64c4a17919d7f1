/** `review …` over the real review routes behind a signature check, real tables and a real queue. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { ReviewRequest } from "@touchstone/core/schema/review";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimsPath } from "../../infra/cli/claims.ts";
import { gist, result, templateYaml } from "../contract/records.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let batch: BatchRecord;

beforeAll(async () => {
  world = await startWorld();
  const ids = ["r-1", "r-2", "r-3", "r-4", "r-5", "r-6"];
  const dir = await world.folder("talk", {
    "template.yaml": templateYaml("talk", 1).replace("回答切题即为好。", `|\n${"  标准一行\n".repeat(20)}`),
    "a b+中.jsonl": ids.map((id) => `${JSON.stringify({ id, output: "答" })}\n`).join(""),
  });
  await world.cli("submit", dir, "--batch", "日 1");
  batch = await world.takeIn("inbox/talk/日 1/a b+中.jsonl");
  for (const [ordinal, id] of ids.entries()) await sendToPeople(ordinal, id, ordinal === 5);
});
afterAll(async () => await world?.close());

const sendToPeople = async (ordinal: number, sampleId: string, isAudit: boolean): Promise<void> => {
  const template = await world.pin("talk");
  const gists = [{ ref: "图.png", hash: gist().hash, strategy: "mixed" as const, flags: [] }];
  const scored = result({ task: "talk", sampleId, line: ordinal + 1, template, gists, audit: isAudit });
  const prefill = {
    id: "relevance",
    value: null,
    confidence: { source: "logprob" as const, raw: 0.62, calibrated: null },
    distribution: { A: 0.62, B: 0.38 },
  };
  const request: ReviewRequest = {
    kind: isAudit ? "audit" : "review",
    payload: {
      sample: {
        id: sampleId,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "看图\u001b[2J" },
              { type: "image", ref: "图.png" },
            ],
          },
          { role: "assistant", content: "是猫" },
        ],
      },
    },
    reasons: [{ code: "low-confidence", field: "relevance", detail: "0.62 < 0.90" }],
    questions: ["relevance"],
    prefill: [prefill],
    explanation: "答案含糊",
    evidence: [{ quote: "是猫", found: true }],
    gists: [{ ref: "图.png", gist: gist({ text: "一只猫" }) }],
    template,
    priority: 0.9 - ordinal / 10,
    slaHours: 48,
  };
  await world.decide(
    batch,
    ordinal,
    isAudit
      ? scored
      : { ...scored, decision: "review", vouchedBy: null, fields: [prefill], reasons: request.reasons },
    request,
  );
};

const idOf = (ordinal: number, kind = "review") => `${batch.batch}#1#0#${ordinal}#${kind}`;
const claims = async () => JSON.parse(await readFile(claimsPath(world.root), "utf8")).claims;

describe("a reviewer", () => {
  test("lists what is open, most useful first, and looks at a task without claiming it", async () => {
    const list = await world.cli("review", "list", "--task", "talk", "--json");
    expect(list.json).toMatchObject({
      reviews: ["r-1", "r-2", "r-3", "r-4", "r-5", "r-6"].map((sampleId) => ({ sampleId, task: "talk" })),
    });
    expect((await world.cli("review", "list", "--task", "other", "--lang", "zh")).out).toBe(
      "没有待领取的人审任务。",
    );
    const shown = await world.cli("review", "show", "r-2", "--json");
    expect(shown.json).toMatchObject({ task: { id: idOf(1), state: "open" } });
  });

  test("claims the most useful task and sees all that is needed to answer it", async () => {
    const { code, out } = await world.cli("review", "claim");
    expect(code).toBe(0);
    for (const part of [
      /^r-1 {2}review · task talk · priority 0\.90 · due /,
      /held by amy until /,
      /not confident enough \(relevance: 0\.62 < 0\.90\)/,
      /user\n {2}看图\ufffd\[2J\n {2}\[image 1: 图\.png\]\n {4}一只猫/,
      /assistant\n {2}是猫/,
      /标准一行\n {2}… 8 more lines; see all with --full/,
      /“是猫” {2}\(found in the sample\)/,
      /relevance {2}Relevance {2}\(one code\)\n {4}A {2}good\n {4}B {2}bad/,
      /→ machine: undecided: A good 0\.62, B bad 0\.38 \(from the model's token probabilities\)/,
      /Answer with: npm run touchstone -- review verdict r-1 relevance=…/,
    ])
      expect(out).toMatch(part);
    expect(await claims()).toMatchObject([
      { reviewId: idOf(0), sampleId: "r-1", kinds: { relevance: "label" } },
    ]);
  });

  test("answers by the sample id alone, in allowed codes only, and once", async () => {
    const wrong = await world.cli("review", "verdict", "r-1", "relevance=Z");
    expect([wrong.code, wrong.err]).toEqual([
      1,
      'touchstone: the answer does not fit: "relevance" must be one of A, B',
    ]);
    const given = await world.cli("review", "verdict", "r-1", "relevance=B", "--note", "不切题", "--json");
    expect([given.code, given.json]).toEqual([
      0,
      { reviewId: idOf(0), sampleId: "r-1", values: { relevance: "B" } },
    ]);
    expect(await claims()).toEqual([]);
    expect((await world.cli("review", "verdict", "r-1", "relevance=A")).err).toMatch(
      /"r-1" is not among the tasks claimed from here/,
    );
    const { out } = await world.cli("results", "--sample", "r-1");
    expect(out).toContain("图.png (mixed)\n    一只猫");
    expect(out).toMatch(/Verdict of amy, .*\n {2}relevance = B bad\n {2}Note: 不切题/);
    const status = await world.cli("status", "--task", "talk", "--json");
    expect(status.json).toMatchObject({
      batches: [{ state: "waiting", counts: { review: 5, machine: 1, reviewed: 1 } }],
      openReviews: { open: 5, claimed: 0 },
    });
  });

  test("gives a task back, and another one finds it", async () => {
    await world.cli("review", "claim", "--id", idOf(1), "--reviewer", "李雷");
    expect((await world.cli("review", "claim", "--id", idOf(1))).err).toMatch(
      /the task is not in your hands: somebody else holds this task/,
    );
    expect((await world.cli("review", "release", "r-2", "--lang", "zh")).out).toBe(
      "已放回 r-2，其他人可以领取。",
    );
    const again = await world.cli("review", "claim", "--task", "talk", "--json");
    expect(again.json).toMatchObject({ task: { sampleId: "r-2", lease: { reviewer: "amy" } } });
  });

  test("is told when the task is no longer theirs, and the claim is forgotten", async () => {
    const file = claimsPath(world.root);
    const mine = await readFile(file, "utf8");
    await writeFile(file, mine.replace(/"token": "[^"]+"/, '"token": "stale"'));
    const late = await world.cli("review", "verdict", "r-2", "relevance=A");
    expect([late.code, late.err]).toEqual([
      1,
      expect.stringMatching(/somebody else has claimed the task since/),
    ]);
    expect(await claims()).toEqual([]);
  });

  test("sees nothing of the machine in a blind check", async () => {
    const { out } = await world.cli("review", "claim", "--id", idOf(5, "audit"));
    expect(out).toContain("A blind check: the machine's answers are not shown.");
    expect(out).not.toMatch(/0\.62|答案含糊|machine:/);
    await world.cli("review", "release", "r-6");
  });

  test.each([
    [["claim", "--id", "no#1#0#0#review"], 1, /there is no such review task/],
    [["show", "nobody"], 1, /there is no such review task; list the open ones/],
    [["claim", "--task", "other"], 1, /no review task is open for you/],
    [["claim", "--from-queue", "--task", "talk"], 2, /--from-queue takes the hint that comes/],
    [["claim", "--reviewer", " "], 2, /who are you\? give --reviewer NAME/],
  ])("%j says what is wrong", async (args, code, message) => {
    expect(await world.cli("review", ...args)).toMatchObject({
      code,
      out: "",
      err: expect.stringMatching(message),
    });
  });
});

describe("the review queue", () => {
  test("a hint leads to its task and is deleted; one to a decided task is passed over", async () => {
    const answer = await world.cli("review", "claim", "--from-queue", "--json");
    expect(answer.err).toMatch(/passed over the hint to r-1: the task has its verdict already/);
    // Somebody else (of the test before) still holds r-2, whose hint therefore stays.
    expect(answer.err).toMatch(/passed over the hint to r-2: the task is not in your hands/);
    expect(answer.json).toMatchObject({ task: { sampleId: "r-3" } });
    const { json } = await world.cli("status", "--json");
    expect(json).toMatchObject({ queues: { review: { waiting: 3, inFlight: 1, dead: 0 } } });
  });

  test("when it is empty, this is told", async () => {
    for (const sampleId of ["r-4", "r-5", "r-6"])
      expect((await world.cli("review", "claim", "--from-queue", "--json")).json).toMatchObject({
        task: { sampleId },
      });
    expect((await world.cli("review", "claim", "--from-queue")).err).toMatch(/the review queue is empty/);
  });

  test("a message that is no hint is named", async () => {
    await world.queue("Review", { hello: 1 });
    expect((await world.cli("review", "claim", "--from-queue")).err).toMatch(
      /message [-0-9a-f]+ of the review queue is no hint/,
    );
  });
});

test("credentials that may not call the API are told so", async () => {
  process.env.AWS_SECRET_ACCESS_KEY = "wrong";
  const outputs = path.join(world.root, "outputs.json");
  await writeFile(outputs, JSON.stringify(world.session.outputs));
  const refused = await world.cli("review", "list", "--outputs", outputs);
  expect([refused.code, refused.err]).toEqual([
    1,
    "touchstone: the review API refused your credentials; they need execute-api:Invoke on it",
  ]);
});
