/** Why is nothing happening? Each reason is caused for real on the embedded stack, and the answer is read from the command line. */
import { PurgeQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { type Severity, severities } from "@touchstone/core/domain/status/finding";
import type { BatchId } from "@touchstone/core/schema/identity";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { sqsClient } from "../../functions/_aws/clients.ts";
import { placesOf } from "../../infra/cli/outputs.ts";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "./embedded-pipeline.ts";
import { createKillSwitch } from "./kill-points.ts";
import { type MoodyJudge, startMoodyJudge } from "./moody-judge.ts";
import { okTemplate } from "./ok-task.ts";
import { runIn } from "./run-in.ts";

const timeScale = 60;
const killSwitch = createKillSwitch();
let pipeline: EmbeddedPipeline;
let judge: MoodyJudge;

beforeAll(async () => {
  judge = await startMoodyJudge();
  pipeline = await startEmbeddedPipeline({
    timeScale,
    taps: [killSwitch.tap],
    stack: { environment: { JUDGE_URL: judge.url } },
  });
  killSwitch.killer = (functionId) => pipeline.stack.kill(functionId);
});
afterAll(async () => {
  await pipeline?.stop();
  await judge?.close();
});

const answerSchema = z.looseObject({
  findings: z.array(
    z.strictObject({
      code: z.string(),
      severity: z.enum(severities),
      batch: z.string().nullable(),
      run: z.int().nullable(),
      text: z.strictObject({ en: z.string(), zh: z.string() }),
    }),
  ),
});
type Told = z.infer<typeof answerSchema>["findings"][number];

/** What `status --batch` says as of `later` seconds from now; asks again until it says `code`. */
const ask = async (part: string, code: string, later: number): Promise<{ told: Told; printed: string }> => {
  const args = ["status", "--batch", part, "--json"];
  for (let tries = 0; ; tries += 1) {
    const { json, err } = await runIn(pipeline, args, Date.now() + later * 1000);
    const { findings } = answerSchema.parse(json);
    const told = findings.find((one) => one.code === code);
    if (told) return { told, printed: err };
    if (tries > 60) throw new Error(`no ${code} among ${JSON.stringify(findings, null, 1)}\n${err}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const queues = () => placesOf(pipeline.stack.outputs).queues;
const purge = (url: string) => sqsClient().send(new PurgeQueueCommand({ QueueUrl: url }));
const samples = (name: string, count: number, word = ""): string =>
  Array.from(
    { length: count },
    (_, at) => `${JSON.stringify({ id: `${name}-${at}`, output: `hello #${name}-${at}# ${word}` })}\n`,
  ).join("");
const submit = (name: string, lines: string, template = okTemplate): Promise<BatchId> =>
  pipeline.submit(taskOf(template), name, { "template.yaml": template, "samples.jsonl": lines });
const taskOf = (template: string): string => /task: (\S+)/.exec(template)?.[1] ?? "";
const templateOf = (task: string, more = ""): string =>
  okTemplate.replace("task: ok", `task: ${task}`) + more;
const upload = (key: string, text: string): Promise<void> =>
  pipeline.connection.blobs.write(
    { bucket: pipeline.connection.uploadsBucket, key },
    text,
    "application/octet-stream",
  );
/** INTAKE alone does its work; what it sends stays where it is. */
const takenInWhilePaused = async (name: string, count: number): Promise<void> => {
  const { stack } = pipeline;
  stack.pause();
  const batch = await submit(name, samples(name, count));
  const [key, versionId] = batch.split("@");
  const object = { key: `inbox/${key}`, size: 1, versionId };
  const s3 = { bucket: { name: pipeline.connection.uploadsBucket }, object };
  const event = {
    ...{ eventSource: "aws:s3", eventName: "ObjectCreated:Put", eventTime: new Date().toISOString() },
    s3,
  };
  const body = JSON.stringify({ Records: [event] });
  const intake = stack.functions().find(({ id }) => id.includes("Intake"))?.id ?? "";
  await stack.invoke(intake, { Records: [{ messageId: "m", body, eventSourceARN: "uploads" }] });
};

interface Reason {
  readonly code: string;
  readonly severity: Severity;
  readonly says: RegExp;
  /** Seconds that the asker is late. */
  readonly later?: number;
  cause(): Promise<string>;
  cure?(): Promise<unknown>;
}

const reasons: readonly Reason[] = [
  {
    code: "not-taken-in",
    severity: "waiting",
    says: /waiting\/samples\.jsonl: not taken in yet; 1 upload messages wait for INTAKE/,
    later: 90,
    async cause() {
      pipeline.stack.pause();
      await submit("waiting", samples("waiting", 1));
      return "ok/waiting";
    },
  },
  {
    code: "not-taken-in",
    severity: "blocked",
    says: /ok\/unheard\/samples\.jsonl.*: lies in the inbox, and no event has announced it\. SWEEP announces/,
    later: 90,
    async cause() {
      pipeline.stack.pause();
      await purge(queues().uploads.url);
      await submit("unheard", samples("unheard", 1));
      await purge(queues().uploads.url);
      return "ok/unheard";
    },
    cure: async () => pipeline.stack.resume(),
  },
  {
    code: "intake-stopped",
    severity: "waiting",
    says: /INTAKE stopped in the middle of the file \(0 splits are sent\); SWEEP takes it up again within \d+ s/,
    later: 16,
    async cause() {
      const before = killSwitch.fired.length;
      killSwitch.arm([{ name: "opened", caller: "Intake", made: "PutItem", resource: /Ledger/i, nth: 1 }]);
      await submit("stopped", samples("stopped", 2));
      await expect.poll(() => killSwitch.fired.length, { timeout: 20_000 }).toBeGreaterThan(before);
      return "ok/stopped";
    },
    async cure() {
      pipeline.stack.lapse(queues().uploads.url.split("/").at(-1) ?? "");
      await expect.poll(() => isDecided("ok/stopped"), { timeout: 20_000 }).toBe(true);
    },
  },
  {
    code: "quiet",
    severity: "waiting",
    says: /3 samples have gone quiet: no message is on its way for them\. SWEEP sends them again within \d+ s \(0 of 5/,
    async cause() {
      await takenInWhilePaused("quiet", 3);
      await purge(queues().score.url);
      return "ok/quiet";
    },
  },
  {
    code: "not-polled",
    severity: "blocked",
    says: /\d+ messages wait in score, and nobody takes them/,
    later: 60,
    async cause() {
      await takenInWhilePaused("idle", 3);
      return "ok/idle";
    },
    cure: async () => pipeline.stack.resume(),
  },
  {
    code: "template-missing",
    severity: "blocked",
    says: /There is no template for strange, so 2 samples wait for people unrouted/,
    async cause() {
      await upload("inbox/strange/b/samples.jsonl", samples("strange", 2));
      return "strange/b";
    },
    // As the answer said: a template, then a replay of what people would have had to look at.
    async cure() {
      await upload("templates/strange/template.yaml", templateOf("strange"));
      await expect.poll(() => isDecided("strange/b"), { timeout: 20_000 }).toBe(true);
      const args = ["replay", "--batch", "strange/b", "--only", "review", "--json"];
      expect((await runIn(pipeline, args, Date.now())).json).toMatchObject({
        run: 2,
        samples: 2,
        opened: true,
      });
      await expect.poll(() => isDecided("strange/b"), { timeout: 20_000 }).toBe(true);
      const { json } = await runIn(pipeline, ["results", "--batch", "strange/b", "--json"], Date.now());
      expect(json).toMatchObject({
        batch: { run: 2, counts: { total: 2, machine: 2 } },
        otherRuns: [{ run: 1 }],
      });
    },
  },
  {
    code: "template-broken",
    severity: "blocked",
    says: /The template of torn is broken.*template\.yaml: line \d+, fields.*replay --batch B --only review/,
    async cause() {
      await upload("templates/torn/template.yaml", templateOf("torn").replace("kind: label", "kind: lable"));
      await upload("inbox/torn/b/samples.jsonl", samples("torn", 1));
      return "torn/b";
    },
  },
  {
    code: "dead-letters",
    severity: "blocked",
    says: /1 messages lie in the dead-letter queue of score.*redrive score --dry-run/,
    async cause() {
      await submit("letters", samples("letters", 1));
      await expect.poll(() => isDecided("ok/letters"), { timeout: 20_000 }).toBe(true);
      const { url } = queues().score;
      const name = url.split("/").at(-1) ?? "";
      await sqsClient().send(new SendMessageCommand({ QueueUrl: url, MessageBody: "no message of ours" }));
      const dead = async (): Promise<number> => (await pipeline.connection.queueDepths()).score.dead;
      while ((await dead()) === 0) {
        pipeline.stack.lapse(name);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return "ok/letters";
    },
    async cure() {
      const { json } = await runIn(pipeline, ["redrive", "score", "--dry-run", "--json"], Date.now());
      expect(json).toMatchObject({ messages: [{ about: null, receives: expect.any(Number) }] });
      await purge(queues().score.deadLetters);
    },
  },
  {
    code: "waiting-for-people",
    severity: "waiting",
    says: /2 samples wait for a person's verdict/,
    async cause() {
      await submit("people", samples("people", 2, "(unsure)"));
      return "ok/people";
    },
  },
  {
    code: "media-awaited",
    severity: "waiting",
    says: /Pictures that the batch refers to are not there: late\/a\.png \(line 1\)\. They are waited for, \d+ min more/,
    async cause() {
      const line = { id: "m", output: [{ type: "image", ref: "late/a.png" }] };
      await submit(
        "media",
        `${JSON.stringify(line)}\n`,
        templateOf("pictures", "media: { waitSeconds: 3600 }\n"),
      );
      return "pictures/media";
    },
  },
  {
    code: "budget-spent",
    severity: "blocked",
    says: /The budget of 1 judge calls for thrifty is spent/,
    async cause() {
      const template = templateOf("thrifty", "budget: { judgeCallsPerBatch: 1 }\n");
      await submit("budget", samples("budget", 3), template);
      return "thrifty/budget";
    },
  },
];

/** An endpoint that was left alone makes SWEEP wait as well, so these come last. */
const endpointReasons: readonly Reason[] = [
  {
    code: "endpoint-throttled",
    severity: "waiting",
    says: /The judge throttles: \d samples wait for their turn and lose no attempt/,
    async cause() {
      judge.mood = "throttling";
      await submit("throttled", samples("throttled", 2));
      return "ok/throttled";
    },
    async cure() {
      judge.mood = "well";
    },
  },
  {
    code: "endpoint-failing",
    severity: "blocked",
    says: /Calls of the judge fail, and \d samples are to be tried again later/,
    async cause() {
      judge.mood = "ill";
      await submit("failing", samples("failing", 2));
      return "ok/failing";
    },
    async cure() {
      judge.mood = "well";
    },
  },
  {
    code: "endpoint-held",
    severity: "blocked",
    says: /the judge has been left alone: it cannot be reached.*Samples wait and lose no attempt/,
    async cause() {
      judge.mood = "gone";
      await submit("held", samples("held", 8));
      return "ok/held";
    },
    async cure() {
      judge.mood = "well";
    },
  },
];

const cases = (list: readonly Reason[]) =>
  list.map((reason) => [reason.code, reason.severity, reason] as const);

/** Causes it, asks, compares the answer, and puts things right again whatever came out. */
const check = async (code: string, severity: Severity, reason: Reason): Promise<void> => {
  try {
    const part = await reason.cause();
    const { told, printed } = await ask(part, code, reason.later ?? 0);
    expect(told).toMatchObject({ severity, text: { en: expect.stringMatching(reason.says) } });
    expect(told.text.zh).toMatch(/[\u4e00-\u9fff]/);
    expect(printed).toContain(told.text.en);
  } finally {
    await reason.cure?.();
  }
};

describe("status says why", () => {
  test.each(cases(reasons))("%s (%s)", check, 40_000);

  test("and what SWEEP promised comes true", async () => {
    const sweep = pipeline.stack.functions().find(({ id }) => id.includes("Sweep"))?.id ?? "";
    const healed = async (): Promise<boolean> => {
      await pipeline.stack.invoke(sweep, {});
      return (await isDecided("ok/unheard")) && (await isDecided("ok/quiet"));
    };
    await expect.poll(healed, { timeout: 40_000, interval: 1_000 }).toBe(true);
  }, 50_000);

  test.each(cases(endpointReasons))("%s (%s)", check, 40_000);
});

const isDecided = async (part: string): Promise<boolean> => {
  const { json } = await runIn(pipeline, ["status", "--batch", part, "--json"], Date.now());
  const batches = z
    .looseObject({ batches: z.array(z.looseObject({ decided: z.boolean() })) })
    .parse(json).batches;
  return batches.length > 0 && batches.every(({ decided }) => decided);
};
