/** One chaos run: submits everything, breaks everything, waits until every sample is decided, and looks at what stands. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { outcomeAt } from "@touchstone/core/domain/ledger/split";
import type { BatchId } from "@touchstone/core/schema/identity";
import { timing } from "@touchstone/core/timing";
import { placesOf } from "../../infra/cli/outputs.ts";
import type { QueueCounts } from "../../infra/local/sqs/server.ts";
import { type EmbeddedPipeline, startEmbeddedPipeline } from "../e2e/embedded-pipeline.ts";
import { okTemplate } from "../e2e/ok-task.ts";
import { fileEvidence, reviewRows } from "./evidence.ts";
import { startFaultyJudge } from "./faulty-judge.ts";
import { judgeBill, type Outage } from "./judge-bill.ts";
import { killable } from "./kill-list.ts";
import { createKiller } from "./killer.ts";
import { type ChaosPlan, makePlan, task } from "./plan.ts";
import { createRecords } from "./records.ts";
import { createRepeats } from "./repeats.ts";
import { startReviewer } from "./reviewer.ts";
import { createUploadEvents } from "./upload-events.ts";
import { type ChaosNumbers, judgeRun } from "./verdict.ts";

export interface ChaosOptions {
  readonly samples: number;
  readonly seed: number;
  readonly timeScale: number;
  /** Seconds after which the run ends, decided or not. */
  readonly limit: number;
  readonly say: (line: string) => void;
}

export interface ChaosReport extends Omit<ChaosNumbers, "givenUpBeyondPlan"> {
  readonly givenUpBeyondPlan: number;
  readonly killsAtRandom: number;
  /** Invocations that Lambda itself ended, by function. */
  readonly functionTimeouts: Readonly<Record<string, number>>;
  readonly emulatorRestarts: number;
  readonly eventsDelivered: number;
  readonly messagesRepeated: number;
  readonly messagesHandedOut: Readonly<Record<string, number>>;
  /** Messages that ended in a dead-letter queue, by queue. */
  readonly deadLetters: Readonly<Record<string, number>>;
  readonly verdicts: number;
  /** How late the process that holds emulators, judge and pollers ever was with its events. */
  readonly lagMs: number;
  readonly seconds: number;
  readonly timeScale: number;
  readonly seed: number;
}

/** Longer than any lease, so that what comes back finds nobody at work. */
const afterLeaseMs = 300;
const downMs = 1_500;
/** The services go down when so much of the judge's work is done. */
const downAt = 0.4;
const reviewsAnswered = 20;

export const runChaos = async (options: ChaosOptions): Promise<ChaosReport> => {
  const { seed, samples, timeScale, say } = options;
  const started = performance.now();
  const lag = monitorEventLoopDelay();
  lag.enable();
  const plan = makePlan(seed, samples);
  const table = timing(timeScale);
  const killer = createKiller(plan, table.lease.sample * 1000 + afterLeaseMs);
  const repeats = createRepeats(seed, killer.onMessage);
  const events = createUploadEvents(seed);
  const records = createRecords(plan);
  const judge = await startFaultyJudge(plan, {
    onCall: ({ sample }) => killer.onJudgeCall(sample),
    hasSwept: () => killer.kills.some(({ victim, why }) => victim === "Sweep" && why !== "time-out"),
  });
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "touchstone-chaos-"));
  say(`${samples} samples in ${plan.files.size} files, seed ${seed}, every duration divided by ${timeScale}`);
  const pipeline = await startEmbeddedPipeline({
    timeScale,
    taps: [records.tap, killer.tap, repeats.tap],
    stack: {
      dataDirectory,
      timeScale,
      wrapDeliver: events.wrapDeliver,
      environment: { JUDGE_URL: judge.url },
      log: (source, line) => {
        killer.onLog(source, line);
        if (process.env.TOUCHSTONE_DEBUG) say(`${source}: ${line}`);
      },
    },
  });
  try {
    const { stack, connection } = pipeline;
    killer.begin(stack);
    repeats.begin(stack);
    const batches = await submitFiles(pipeline, plan);
    const reviewer = startReviewer(connection, reviewsAnswered);
    const outages: Outage[] = [];
    const expectedCalls = plan.lines.filter(({ sample }) => sample !== null).length;
    const restart = async (): Promise<void> => {
      while (records.recordedAt.size < downAt * expectedCalls) await setTimeout(100);
      say("S3, SQS and DynamoDB are stopped");
      const from = performance.now();
      await stack.interrupt(downMs);
      outages.push({ from, until: performance.now() });
      say("S3, SQS and DynamoDB are back, on the same data directory");
    };
    const restarted = restart();
    const until = started + options.limit * 1000;
    const done = await decideAll({ pipeline, batches, plan, until, say, kills: () => killer.kills.length });
    if (done) await Promise.all([restarted, untilReached(killer, until)]);
    await killer.end();
    repeats.end();
    await reviewer.stop();
    if (done) await untilQuiet(pipeline, until, () => events.pending);
    const files = new Map(
      await Promise.all(
        [...batches].map(async ([file, batch]) => [file, await fileEvidence(connection, batch)] as const),
      ),
    );
    const numbers = judgeRun({
      plan,
      files,
      reviews: await reviewRows(placesOf(stack.outputs).tables.reviews),
      answered: reviewer.answered,
      emf: (metric) => stack.metrics.sum("Touchstone", metric, {}),
      bill: judgeBill({
        calls: judge.calls,
        recordedAt: records.recordedAt,
        kills: killer.kills,
        outages,
        timeoutMs: table.modelTimeout.judge * 1000,
        lagMs: lag.max / 1e6,
      }),
      failedCalls: (sample) =>
        judge.calls.filter((call) => call.sample === sample && (call.fault !== null || call.end === "died"))
          .length,
      killsByPoint: Object.fromEntries(
        killer.points.map(({ name }) => [name, killer.kills.filter(({ why }) => why === name).length]),
      ),
    });
    const killsFor = (why: string): number => killer.kills.filter((kill) => kill.why === why).length;
    for (const [index, place] of numbers.givenUpBeyondPlan.entries())
      if (index < 20) say(`given up: ${place}`);
    return {
      ...numbers,
      givenUpBeyondPlan: numbers.givenUpBeyondPlan.length,
      broken: [
        ...numbers.broken,
        ...(done ? [] : [`not everything was decided within ${options.limit} s`]),
        ...judge.strange.map((body) => `the judge was asked about no sample that it should see: ${body}`),
        ...(outages.length === 1 ? [] : ["the emulators were not restarted"]),
      ],
      killsAtRandom: killsFor("at random"),
      functionTimeouts: Object.fromEntries(
        killable.map((victim) => [
          victim,
          killer.kills.filter((k) => k.victim === victim && k.why === "time-out").length,
        ]),
      ),
      emulatorRestarts: outages.length,
      eventsDelivered: events.delivered,
      messagesRepeated: repeats.repeated,
      messagesHandedOut: repeats.handedOut,
      deadLetters: deadLetters(stack.queues()),
      verdicts: reviewer.answered.size,
      lagMs: Math.round(lag.max / 1e6),
      seconds: Math.round((performance.now() - started) / 100) / 10,
      timeScale,
      seed,
    };
  } finally {
    await pipeline.stop();
    await judge.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
};

/** The template comes with the first file, and is in place before that. */
const submitFiles = async (
  pipeline: EmbeddedPipeline,
  plan: ChaosPlan,
): Promise<ReadonlyMap<string, BatchId>> => {
  const batches = new Map<string, BatchId>();
  for (const [file, lines] of plan.files) {
    const content = `${lines.map(({ text }) => text).join("\n")}\n`;
    const template: Record<string, string> = batches.size === 0 ? { "template.yaml": okTemplate } : {};
    batches.set(file, await pipeline.submit(task, file, { ...template, "samples.jsonl": content }));
  }
  return batches;
};

interface Watch {
  readonly pipeline: EmbeddedPipeline;
  readonly batches: ReadonlyMap<string, BatchId>;
  readonly plan: ChaosPlan;
  readonly until: number;
  readonly say: (line: string) => void;
  readonly kills: () => number;
}

/** True once every batch is decided; false when the limit has passed. */
const decideAll = async ({ pipeline, batches, plan, until, say, kills }: Watch): Promise<boolean> => {
  const { ledger } = pipeline.connection;
  for (let round = 0; performance.now() < until; round += 1) {
    let decided = 0;
    let closed = 0;
    try {
      for (const batch of batches.values()) {
        const record = await ledger.batch(batch, 1);
        const split = record && (await ledger.split(batch, 1, 0));
        for (let ordinal = 0; split && ordinal < split.samples; ordinal += 1)
          if (outcomeAt(split, ordinal) !== null) decided += 1;
        if (record?.decidedAt !== undefined) closed += 1;
      }
      if (round % 4 === 0 || closed === batches.size)
        say(`${decided} of ${plan.lines.length} decided, ${closed} batches closed, ${kills()} kills`);
      if (closed === batches.size) return true;
    } catch {
      say("the services do not answer at the moment");
    }
    await setTimeout(500);
  }
  return false;
};

/** SWEEP's point comes when something has been quiet long enough; everything may be decided before. */
const untilReached = async (
  { points, kills }: Pick<ReturnType<typeof createKiller>, "points" | "kills">,
  until: number,
): Promise<void> => {
  const reached = (name: string): boolean => kills.some(({ why }) => why === name);
  const limit = Math.min(until, performance.now() + 20_000);
  while (performance.now() < limit && !points.every(({ name }) => reached(name))) await setTimeout(200);
};

/** Late copies are let through as well: what they do after the end must show too. */
const untilQuiet = async (
  { stack }: EmbeddedPipeline,
  until: number,
  pending: () => number,
): Promise<void> => {
  const limit = Math.min(until, performance.now() + 60_000);
  for (let quiet = 0; quiet < 4 && performance.now() < limit; await setTimeout(500)) {
    const work = Object.entries(stack.queues()).filter(([name]) => !/dead|review/i.test(name));
    for (const [name] of work) stack.lapse(name, Date.now() - 3_000);
    const isQuiet = pending() === 0 && work.every(([, counts]) => total(counts) === 0);
    quiet = isQuiet ? quiet + 1 : 0;
  }
};

const total = ({ visible, inFlight, delayed }: QueueCounts): number => visible + inFlight + delayed;

/** By the name that the queue has in the template. */
const deadLetters = (queues: Readonly<Record<string, QueueCounts>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(queues)
      .filter(([name, counts]) => /dead/i.test(name) && total(counts) > 0)
      .map(([name, counts]) => [/([A-Z][a-z]+)QueueDead/.exec(name)?.[1] ?? name, total(counts)]),
  );
