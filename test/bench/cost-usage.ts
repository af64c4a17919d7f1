/** From counted calls to billed quantities, for a million samples and for an idle month: the model of `bench cost`, pure. */
import type { HopName } from "@touchstone/core/pipeline";
import type { CallCount } from "../../infra/local/recorder.ts";
import type { Usage } from "./cost-bill.ts";
import { type Counted, type Declared, type HopCount, hopOf } from "./cost-counts.ts";

/** What no count on a laptop can say. */
export interface Assumptions {
  readonly judgeLatencyMs: number;
  /** The slowest call of a full batch takes so many times the mean. */
  readonly tail: number;
  /** Tasks with metrics of their own. */
  readonly tasks: number;
  /** Outcomes in a message from SCORE to SETTLE, and each finds SETTLE idle: the dear case. */
  readonly toldTogether: number;
  /** One call to a service, as a function sees it. */
  readonly callMs: number;
  /** Memory at which Lambda gives one whole processor, which is taken to be as fast as the one counted on. */
  readonly fullCpuMb: number;
  /** Start, end and report lines of an invocation. */
  readonly platformLogLines: number;
  readonly platformLogBytes: number;
  /** CloudWatch adds so many to each line. */
  readonly logLineOverheadBytes: number;
  readonly hoursPerMonth: number;
  readonly pollersPerQueue: number;
  readonly longPollSeconds: number;
  readonly sweepsPerMonth: number;
  /** Series without a dimension, and those of each task. */
  readonly metrics: number;
  readonly metricsPerTask: number;
}

const million = 1e6;
const mostReceived = 10;

/** All that a million samples use; the models are somebody else's bill. */
export const variableUsage = (
  counted: Counted,
  declared: Declared,
  assumed: Assumptions,
): readonly Usage[] => {
  const scale = million / counted.samples;
  const fills = fillsOf(declared, assumed);
  return [
    ...counted.calls.flatMap((call) => scaledCall(call, counted, fills)),
    ...pollerUsage(fills),
    ...indexUsage(counted).map((usage) => ({ ...usage, quantity: usage.quantity * scale })),
    ...hopNamesOf(counted).flatMap((hop) => hopUsage(hop, counted, declared, fills, assumed)),
    {
      what: "review API: claim and verdict",
      price: "http-api-request",
      quantity: 2 * counted.reviews * scale,
    },
  ];
};

/** All that a month costs in which nothing is submitted; storage and backups grow with what is kept and are left out. */
export const fixedUsage = (
  idleSweep: Counted,
  declared: Declared,
  assumed: Assumptions,
): readonly Usage[] => {
  const { sweepsPerMonth, tasks } = assumed;
  const polled = Object.keys(declared.batchSize).length;
  const polls = (assumed.hoursPerMonth * 3600) / assumed.longPollSeconds;
  return [
    { what: "idle pollers", price: "sqs-request", quantity: polled * assumed.pollersPerQueue * polls },
    ...idleSweep.calls
      .flatMap(callUsage)
      .map((usage) => ({ ...usage, quantity: usage.quantity * sweepsPerMonth })),
    ...lambdaUsage("sweep", sweepsPerMonth, sweepMs(idleSweep, declared, assumed) * sweepsPerMonth, declared),
    logUsage("sweep", idleSweep.hops.sweep, sweepsPerMonth, sweepsPerMonth, assumed),
    {
      what: "custom metrics",
      price: "metric-month",
      quantity: assumed.metrics + assumed.metricsPerTask * tasks,
    },
    { what: "alarms", price: "alarm-month", quantity: declared.alarms },
    { what: "dashboard", price: "dashboard-month", quantity: declared.dashboards },
  ];
};

/** Samples in an invocation of the hops whose batches depend on how fast messages come, not on this machine. */
interface Fills {
  readonly score: number;
  readonly settle: number;
}

const fillsOf = ({ batchSize }: Declared, { toldTogether }: Assumptions): Fills => ({
  score: batchSize.score ?? 1,
  settle: toldTogether,
});

const hopNamesOf = (counted: Counted): readonly HopName[] =>
  (Object.keys(counted.hops) as HopName[]).filter((hop) => counted.hops[hop].invocations > 0);

/** Invocations for a million samples. */
const invocationsOf = (hop: HopName, { samples, hops }: Counted, fills: Fills): number =>
  hop === "score" || hop === "settle" ? million / fills[hop] : (hops[hop].invocations / samples) * million;

/** SETTLE reads and writes its split once an invocation, however many messages it has. */
const isPerInvocation = ({ caller, resource, operation }: CallCount): boolean =>
  hopOf(caller) === "settle" && /Ledger/.test(resource) && /^(GetItem|PutItem)$/.test(operation);

/** SCORE tells SETTLE together of what ends together. Here every answer comes at once; in the cloud they take seconds. */
const isTellingSettle = ({ caller, resource, operation }: CallCount): boolean =>
  hopOf(caller) === "score" && operation === "SendMessageBatch" && /Settle/.test(resource);
const scaledCall = (call: CallCount, counted: Counted, fills: Fills): readonly Usage[] => {
  const isPoller = call.caller.endsWith("/poller");
  const hop = hopOf(call.caller);
  if (isPoller && (hop === "score" || hop === "settle")) return [];
  if (hop === null && call.service === "dynamodb") return [];
  if (isTellingSettle(call))
    return callUsage(call).map((usage) => ({ ...usage, quantity: million / fills.settle }));
  const scale = isPerInvocation(call)
    ? invocationsOf("settle", counted, fills) / counted.hops.settle.invocations
    : million / counted.samples;
  return callUsage(call).map((usage) => ({ ...usage, quantity: usage.quantity * scale }));
};

/** What one counted row is billed as, unscaled. */
export const callUsage = (call: CallCount): readonly Usage[] => {
  const { service, operation, caller } = call;
  const what = `${hopOf(caller) ?? caller}${caller.endsWith("/poller") ? " poller" : ""}: ${operation} ${shortName(call.resource)}`;
  switch (service) {
    case "sqs":
      return [{ what, price: "sqs-request", quantity: call.chunks }];
    case "dynamodb": {
      const isWrite = /^(Put|Update|Delete)Item$|^BatchExecuteStatement$/.test(operation);
      // A condition that does not hold is billed by the item that stands, a query that finds nothing as half a unit.
      const quantity = Math.max(call.capacityUnits + call.errors, call.calls * (isWrite ? 1 : 0.5));
      return [{ what, price: isWrite ? "dynamodb-write" : "dynamodb-read", quantity }];
    }
    case "s3":
      if (operation.startsWith("Delete") || operation.startsWith("Abort")) return [];
      return [{ what, price: isS3Write(operation) ? "s3-write" : "s3-read", quantity: call.calls }];
    case "sagemaker":
      return [];
    default:
      return service satisfies never;
  }
};

const isS3Write = (operation: string): boolean =>
  /^(Put|Copy|Post|List|Create|Complete|Upload)/.test(operation);

const shortName = (resource: string): string =>
  /(\w+?)(Table|Queue|DeadLetters)[0-9A-F]{8}$/.exec(resource)?.[1]?.toLowerCase() ??
  /-(uploads|results)-/.exec(resource)?.[1] ??
  resource;

/** A poller takes up to ten messages at a time. SCORE's asks once more before its window closes; SETTLE's has none. */
const pollerUsage = (fills: Fills): readonly Usage[] => {
  const polled = (hop: "score" | "settle", receives: number, deletes: number): Usage[] => {
    const invocations = million / fills[hop];
    return [
      { what: `${hop} poller: ReceiveMessage`, price: "sqs-request", quantity: invocations * receives },
      { what: `${hop} poller: DeleteMessageBatch`, price: "sqs-request", quantity: invocations * deletes },
    ];
  };
  const calls = Math.ceil(fills.score / mostReceived);
  return [...polled("score", calls + 1, calls), ...polled("settle", 1, 1)];
};

/**
 * The emulator counts tables, not their indexes. A review task is put into its index, moved in it by the claim and by the
 * verdict (a removal and a put each), and removed when SETTLE has heard; index items are below a kilobyte. Batches are too
 * few to matter.
 */
const indexUsage = ({ reviews }: Counted): readonly Usage[] => [
  {
    what: "reviews index: opened, claimed, decided, heard",
    price: "dynamodb-write",
    quantity: reviews * (1 + 2 + 2 + 1),
  },
];

const hopUsage = (
  hop: HopName,
  counted: Counted,
  declared: Declared,
  fills: Fills,
  assumed: Assumptions,
): readonly Usage[] => {
  const invocations = invocationsOf(hop, counted, fills);
  const perSample = million / counted.samples;
  const busyMs = cpuMsOf(hop, counted.hops[hop], declared, assumed) * perSample;
  const calls = counted.calls
    .filter(({ caller }) => hopOf(caller) === hop && !caller.endsWith("/poller"))
    .reduce(
      (sum, call) =>
        sum + call.calls * (isPerInvocation(call) ? invocations / counted.hops[hop].invocations : perSample),
      0,
    );
  // SCORE's samples wait side by side, the slowest of them as long as the tail says; the others wait for one call after another.
  const waitingMs =
    hop === "score"
      ? invocations * (assumed.judgeLatencyMs * assumed.tail + scoreRounds * assumed.callMs)
      : calls * assumed.callMs;
  // EMF comes once an invocation, all other lines with the samples.
  const lineScale = hop === "settle" ? invocations / counted.hops[hop].invocations : perSample;
  return [
    ...lambdaUsage(hop, invocations, busyMs + waitingMs, declared),
    logUsage(hop, counted.hops[hop], lineScale, invocations, assumed),
  ];
};

/** Lease, result, message to SETTLE. */
const scoreRounds = 3;

const cpuMsOf = (
  hop: HopName,
  { cpuMs }: HopCount,
  { memoryMb }: Declared,
  { fullCpuMb }: Assumptions,
): number => cpuMs * Math.max(1, fullCpuMb / memoryMb[hop]);

const sweepMs = (idle: Counted, declared: Declared, assumed: Assumptions): number =>
  cpuMsOf("sweep", idle.hops.sweep, declared, assumed) +
  idle.calls.reduce((sum, { calls }) => sum + calls, 0) * assumed.callMs;

const lambdaUsage = (
  hop: HopName,
  invocations: number,
  milliseconds: number,
  { memoryMb }: Declared,
): readonly Usage[] => [
  { what: `${hop}: invocations`, price: "lambda-request", quantity: invocations },
  {
    what: `${hop}: time`,
    price: "lambda-gb-second",
    quantity: (milliseconds / 1000) * (memoryMb[hop] / 1024),
  },
];

const logUsage = (
  hop: HopName,
  { logLines, logBytes }: HopCount,
  lineScale: number,
  invocations: number,
  { platformLogLines, platformLogBytes, logLineOverheadBytes }: Assumptions,
): Usage => ({
  what: `${hop}: log`,
  price: "logs-gb",
  quantity:
    (logBytes + logLines * logLineOverheadBytes) * lineScale +
    (platformLogBytes + platformLogLines * logLineOverheadBytes) * invocations,
});
