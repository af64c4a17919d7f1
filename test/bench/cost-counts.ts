/** What `bench cost` counts: one batch from its upload to the last verdict, an idle sweep, and what the templates declare. */
import { setTimeout } from "node:timers/promises";
import { type HopName, hops } from "@touchstone/core/pipeline";
import * as z from "zod";
import { claimFromQueue } from "../../infra/cli/claim-from-queue.ts";
import { giveVerdict } from "../../infra/cli/review-calls.ts";
import { readAssembly } from "../../infra/local/assembly/manifest.ts";
import type { CallCount } from "../../infra/local/recorder.ts";
import type { BenchPipeline } from "./bench-pipeline.ts";
import { benchLine } from "./bench-task.ts";

/** What one hop did. */
export interface HopCount {
  readonly invocations: number;
  readonly cpuMs: number;
  readonly logLines: number;
  readonly logBytes: number;
}

export interface Counted {
  readonly samples: number;
  readonly reviews: number;
  readonly calls: readonly CallCount[];
  readonly hops: Readonly<Record<HopName, HopCount>>;
}

export interface Declared {
  readonly memoryMb: Readonly<Record<HopName, number>>;
  /** Messages in a full invocation; only of hops that read a queue. */
  readonly batchSize: Readonly<Partial<Record<HopName, number>>>;
  readonly alarms: number;
  readonly dashboards: number;
}

/** The hop whose logical id, or whose poller's name, this is; null for callers outside the pipeline. */
export const hopOf = (caller: string): HopName | null =>
  hopNames.find((hop) => new RegExp(`^${hop}Function[0-9A-F]+(/poller)?$`, "i").test(caller)) ?? null;

// Object.keys cannot say that it gives the very keys of the table.
const hopNames = Object.keys(hops) as HopName[];

/** Runs a batch of which people answer `reviews` samples; everything is counted that anybody calls for it. */
export const countBatch = async (
  pipeline: BenchPipeline,
  name: string,
  samples: number,
  reviews: number,
): Promise<Counted> => {
  const { stack, connection } = pipeline;
  const cpuBefore = await stack.cpuMs();
  const lines = Array.from({ length: samples }, (_, index) => benchLine(name, index, index < reviews));
  await pipeline.runBatch(name, lines.join(""));
  for (let answered = 0; answered < reviews; answered += 1) {
    const { task } = await claimFromQueue(connection, "bench", () => undefined);
    if (!task.lease) throw new Error(`${task.id} was claimed without a lease`);
    const { token } = task.lease;
    await giveVerdict(connection, { reviewId: task.id, token }, { ok: "Y" }, undefined);
  }
  await untilFinal(pipeline, name);
  return { samples, reviews, calls: stack.recorder.calls(), hops: await hopCounts(stack, cpuBefore) };
};

/** One run of SWEEP where nothing is open. */
export const countIdleSweep = async ({ stack }: BenchPipeline): Promise<Counted> => {
  const sweep = stack.functions().find(({ id }) => hopOf(id) === "sweep");
  if (!sweep) throw new Error("SWEEP is not deployed");
  await stack.invoke(sweep.id, {});
  stack.recorder.reset();
  const cpuBefore = await stack.cpuMs();
  await stack.invoke(sweep.id, {});
  const calls = stack.recorder.calls().filter(({ caller }) => caller === sweep.id);
  return { samples: 0, reviews: 0, calls, hops: await hopCounts(stack, cpuBefore) };
};

const untilFinal = async ({ connection, stack }: BenchPipeline, name: string): Promise<void> => {
  for (let tries = 0; tries < 600; tries += 1) {
    const batches = await Array.fromAsync(connection.ledger.allBatches());
    const record = batches.find(({ source }) => source.key.includes(`/${name}/`));
    const isIdle = Object.values(stack.queues()).every(({ inFlight }) => inFlight === 0);
    if (record?.finalAt !== undefined && isIdle) return;
    await setTimeout(100);
  }
  throw new Error(`batch ${name} did not become final: ${JSON.stringify(stack.queues())}`);
};

const hopCounts = async (
  stack: BenchPipeline["stack"],
  cpuBefore: Readonly<Record<string, number>>,
): Promise<Counted["hops"]> => {
  const cpuAfter = await stack.cpuMs();
  const counts = everyHop((): HopCount => ({ invocations: 0, cpuMs: 0, logLines: 0, logBytes: 0 }));
  const add = (functionId: string, part: Partial<HopCount>): void => {
    const hop = hopOf(functionId);
    if (hop) counts[hop] = { ...counts[hop], ...part };
  };
  for (const { functionId, invocations } of stack.recorder.invocations()) add(functionId, { invocations });
  for (const { functionId, lines, bytes } of stack.recorder.output())
    add(functionId, { logLines: lines, logBytes: bytes });
  for (const [functionId, cpuMs] of Object.entries(cpuAfter))
    add(functionId, { cpuMs: cpuMs - (cpuBefore[functionId] ?? 0) });
  return counts;
};

const everyHop = <Value>(make: () => Value): Record<HopName, Value> => ({
  intake: make(),
  describe: make(),
  score: make(),
  settle: make(),
  review: make(),
  learn: make(),
  sweep: make(),
});

const functionSchema = z.looseObject({ MemorySize: z.number() });
const mappingSchema = z.looseObject({
  BatchSize: z.number(),
  FunctionName: z.looseObject({ Ref: z.string() }),
});

/** Reads the templates that are deployed. */
export const readDeclared = async (assembly: string): Promise<Declared> => {
  const { stacks } = await readAssembly(assembly);
  const resources = stacks.flatMap(({ template }) => Object.entries(template.Resources));
  const memoryMb = everyHop(() => 0);
  const batchSize: Partial<Record<HopName, number>> = {};
  for (const [id, { Type, Properties }] of resources) {
    const hop = hopOf(id);
    if (Type === "AWS::Lambda::Function" && hop) memoryMb[hop] = functionSchema.parse(Properties).MemorySize;
    if (Type !== "AWS::Lambda::EventSourceMapping") continue;
    const mapping = mappingSchema.parse(Properties);
    const reader = hopOf(mapping.FunctionName.Ref);
    if (reader) batchSize[reader] = mapping.BatchSize;
  }
  const count = (type: string): number => resources.filter(([, { Type }]) => Type === type).length;
  return {
    ...{ memoryMb, batchSize },
    alarms: count("AWS::CloudWatch::Alarm"),
    dashboards: count("AWS::CloudWatch::Dashboard"),
  };
};
