/** Every row of the write order as a point at which a function is killed: what has been written, and what has not. */
import type { ItemWrite, ServiceCall } from "../../infra/local/tap.ts";
import { isLease, isRecord, itemWrites } from "../item-writes.ts";
import { dealer } from "./draw.ts";
import type { ChaosPlan, PlannedLine } from "./plan.ts";

export const killable = ["Intake", "Score", "Settle", "Review", "Sweep"] as const;
export type Killable = (typeof killable)[number];

export interface ChaosPoint {
  readonly name: string;
  readonly victim: Killable;
  /** The call that must have been seen before; for points whose own call does not say whom it is about. */
  readonly after?: (call: ServiceCall) => boolean;
  /** The call that has taken effect, and of which the caller will not hear. */
  readonly at: (call: ServiceCall) => boolean;
}

/** Points on files and samples that the seed picks; no two points of a hop share one as long as there are enough. */
export const killList = (plan: ChaosPlan): readonly ChaosPoint[] => {
  const files = [...plan.files.keys()];
  const file = roundRobin(dealer(plan.seed, "kill files", files, (name) => name)(files.length));
  const take = (purpose: string, fits: (line: PlannedLine) => boolean): PlannedLine => {
    const [line] = dealer(plan.seed, purpose, plan.lines.filter(fits), ({ text }) => text)(1);
    if (!line) throw new Error(`the plan has no line for "${purpose}": give more samples`);
    return line;
  };
  const sound = (line: PlannedLine): boolean =>
    line.expected === "machine" && line.sample !== null && !plan.faults.has(line.sample);
  /** A single one might never be released: its fault may fall into a call that a kill ends. */
  const suffering = plan.lines.filter(({ sample }) => plan.faults.get(sample ?? "")?.[0] === "error");
  return [
    ...intakePoints(file),
    ...scorePoints({
      leased: take("leased", sound),
      recorded: take("recorded", sound),
      told: take("told", sound),
      gaveUp: take("gave up", ({ expected }) => expected === "failed"),
      released: suffering,
    }),
    ...settlePoints(
      file,
      take("review task", ({ expected }) => expected === "review"),
      take("hint", ({ expected }) => expected === "review"),
    ),
    {
      name: "REVIEW: verdict stored, before SETTLE hears of it",
      victim: "Review",
      at: (call) => isUpdate(call, /reviews/i, "verdict"),
    },
    {
      name: "SWEEP: samples sent again, before it is noted",
      victim: "Sweep",
      at: (call) => isSend(call, /score/i),
    },
  ];
};

const intakePoints = (file: () => string): readonly ChaosPoint[] => {
  const row = (name: string, sort: RegExp) => (call: ServiceCall) =>
    isPut(call, /ledger/i) && isAbout(call, name) && sort.test(call.item ?? "");
  const update = (name: string, attribute: string) => (call: ServiceCall) =>
    isUpdate(call, /ledger/i, attribute) && isAbout(call, name);
  const [opened, split, sent, marked, sealed] = [file(), file(), file(), file(), file()];
  const point = (name: string, at: ChaosPoint["at"], after?: ChaosPoint["at"]): ChaosPoint => ({
    name: `INTAKE: ${name}`,
    victim: "Intake",
    at,
    ...(after && { after }),
  });
  return [
    point("batch row, before the first split row", row(opened, / batch$/)),
    point("split row, before its messages", row(split, / split#/)),
    point(
      "some messages, before they are marked as sent",
      (call) => isSend(call, /score/i),
      row(sent, / split#/),
    ),
    point("marked as sent, before the seal", update(marked, "splitsSent")),
    point("sealed, before the check", update(sealed, "sealed")),
  ];
};

const scorePoints = (
  lines: Readonly<Record<"leased" | "recorded" | "told" | "gaveUp", PlannedLine>> & {
    readonly released: readonly PlannedLine[];
  },
): readonly ChaosPoint[] => {
  const written =
    (line: PlannedLine | readonly PlannedLine[], isWanted: (write: ItemWrite) => boolean) =>
    (call: ServiceCall): boolean =>
      /samples/i.test(call.resource) &&
      itemWrites(call).some(
        (write) => isWanted(write) && [line].flat().some((each) => isSample(write, each)),
      );
  const isRelease = ({ expression }: ItemWrite): boolean => expression.startsWith("REMOVE #leaseToken");
  const point = (name: string, at: ChaosPoint["at"], after?: ChaosPoint["at"]): ChaosPoint => ({
    name: `SCORE: ${name}`,
    victim: "Score",
    at,
    ...(after && { after }),
  });
  return [
    point("leased, before the call", written(lines.leased, isLease)),
    point("recorded, before SETTLE hears of it", written(lines.recorded, isRecord)),
    point(
      "SETTLE told, before the message is acknowledged",
      (call) => isSend(call, /settle/i),
      written(lines.told, isRecord),
    ),
    point("given up, before SETTLE hears of it", written(lines.gaveUp, isRecord)),
    point("lease released, before the message is sent again", written(lines.released, isRelease)),
  ];
};

const settlePoints = (
  file: () => string,
  reviewed: PlannedLine,
  hinted: PlannedLine,
): readonly ChaosPoint[] => {
  const opened = (line: PlannedLine) => (call: ServiceCall) =>
    isPut(call, /reviews/i) && itemWrites(call).some((write) => isSample(write, line));
  const update = (name: string, expression: RegExp) => (call: ServiceCall) =>
    isUpdate(call, /ledger/i, "") && isAbout(call, name) && expression.test(call.expression ?? "");
  const written = (name: string, object: RegExp) => (call: ServiceCall) =>
    call.operation === "PutObject" && isAbout(call, name) && object.test(call.resource);
  const point = (name: string, at: ChaosPoint["at"], after?: ChaosPoint["at"]): ChaosPoint => ({
    name: `SETTLE: ${name}`,
    victim: "Settle",
    at,
    ...(after && { after }),
  });
  const [ledger, parts, marked, results, summary, closed] = [file(), file(), file(), file(), file(), file()];
  return [
    point("review task, before its hint", opened(reviewed)),
    point("hint, before the ledger", (call) => isSend(call, /review/i), opened(hinted)),
    point(
      "ledger, before the metrics",
      (call) => isPut(call, /ledger/i) && isAbout(call, ledger) && / split#/.test(call.item ?? ""),
    ),
    point("part files, before the split is marked", written(parts, /\/parts\/.*tallies/)),
    point("split marked, before the result files", update(marked, /^ADD/)),
    point("results, before the summary", written(results, /\/results\.jsonl$/)),
    point("summary, before the batch is closed", written(summary, /\/summary\.json$/)),
    point("batch closed, before the message is acknowledged", update(closed, /closedAt/)),
    point("verdict marked as heard, before the message is acknowledged", (call) =>
      isUpdate(call, /reviews/i, "REMOVE #claimShard"),
    ),
  ];
};

const isPut = (call: ServiceCall, table: RegExp): boolean =>
  call.operation === "PutItem" && table.test(call.resource);
const isUpdate = (call: ServiceCall, table: RegExp, attribute: string): boolean =>
  call.operation === "UpdateItem" && table.test(call.resource) && (call.expression ?? "").includes(attribute);
const isSend = (call: ServiceCall, queue: RegExp): boolean =>
  call.operation === "SendMessageBatch" && queue.test(call.resource);
const isAbout = (call: ServiceCall, file: string): boolean =>
  (call.item ?? call.resource).includes(`/${file}/`);
const isSample = ({ item }: ItemWrite, { file, ordinal }: PlannedLine): boolean =>
  item.includes(`/${file}/`) && item.split("#").slice(1, 4).join("#") === `1#0#${ordinal}`;

const roundRobin = (items: readonly string[]): (() => string) => {
  let next = 0;
  return () => {
    const item = items[next % items.length];
    next += 1;
    if (item === undefined) throw new Error("there are no files to choose from");
    return item;
  };
};
