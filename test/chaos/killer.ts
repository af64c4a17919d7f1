/** Kills functions: at each point of the write order once, and in the middle of whatever they do with picked samples. */
import { setTimeout } from "node:timers/promises";
import type { EmbeddedStack } from "../../infra/local/stack.ts";
import type { Tap } from "../../infra/local/tap.ts";
import { dealer, draw } from "./draw.ts";
import { type ChaosPoint, type Killable, killList } from "./kill-list.ts";
import type { ChaosPlan } from "./plan.ts";

export interface Kill {
  readonly victim: Killable;
  /** Name of a point, `at random`, or `time-out` where Lambda itself ended an invocation. */
  readonly why: string;
  /** `performance.now()`. */
  readonly at: number;
}

export interface Killer {
  readonly tap: Tap;
  readonly points: readonly ChaosPoint[];
  readonly kills: readonly Kill[];
  /** To be called with every message a poller hands out, and with every call the judge gets. */
  onMessage(queue: string, identity: string): void;
  onJudgeCall(sample: string): void;
  /** To be called with every line that a function or the runner logs. */
  onLog(source: string, line: string): void;
  /** Nothing is killed before this. */
  begin(stack: EmbeddedStack): void;
  /** Nothing is killed at random after this; resolves when what was killed may come back. */
  end(): Promise<void>;
}

/** One in so many lines meets a random kill of the hop. */
const rarity = { Score: 400, Settle: 700 } as const;
const least = 2;
const delayMs = 250;

const queueOf: Partial<Record<Killable, string>> = { Intake: "uploads", Score: "score", Settle: "settle" };

export const createKiller = (plan: ChaosPlan, returnAfterMs: number): Killer => {
  const kills: Kill[] = [];
  const points = killList(plan);
  const waiting = points.map((point) => ({ point, ready: point.after === undefined }));
  const returns = new Set<Promise<void>>();
  let stack: EmbeddedStack | null = null;

  const idOf = (victim: Killable): string => {
    const found = stack?.functions().find(({ id }) => id.startsWith(victim));
    if (!found) throw new Error(`there is no function ${victim}`);
    return found.id;
  };
  const kill = async (victim: Killable, why: string): Promise<void> => {
    if (stack === null) return;
    const upTo = Date.now();
    kills.push({ victim, why, at: performance.now() });
    await stack.kill(idOf(victim));
    const returned = bringBack(stack, victim, upTo, returnAfterMs).finally(() => returns.delete(returned));
    returns.add(returned);
  };

  const marked = markedOnes(plan);
  const atRandom = (victim: Killable, identity: string): void => {
    if (stack === null || !marked[victim]?.delete(identity)) return;
    void setTimeout(draw(plan.seed, "delay", victim, identity) * delayMs).then(() =>
      kill(victim, "at random"),
    );
  };

  return {
    points,
    kills,
    tap: {
      async after(call, reply) {
        if (stack === null || reply.status >= 300) return;
        const own = waiting.filter(({ point }) => call.caller.startsWith(point.victim));
        const due = own.find(({ point, ready }) => ready && point.at(call));
        // Before anybody dies: what a point waits for may happen only once.
        for (const entry of own) entry.ready ||= entry.point.after?.(call) ?? true;
        if (due === undefined) return;
        waiting.splice(waiting.indexOf(due), 1);
        await kill(due.point.victim, due.point.name);
      },
    },
    onMessage(queue, identity) {
      if (/settle/i.test(queue)) atRandom("Settle", identity);
      if (/uploads/i.test(queue)) atRandom("Intake", identity);
    },
    onJudgeCall: (sample) => atRandom("Score", sample),
    onLog(source, line) {
      const victim = killableOf(source);
      if (victim !== undefined && /Task timed out/.test(line))
        kills.push({ victim, why: "time-out", at: performance.now() });
    },
    begin(started) {
      stack = started;
    },
    async end() {
      stack = null;
      while (returns.size > 0) await Promise.all(returns);
    },
  };
};

const killableOf = (source: string): Killable | undefined =>
  (["Intake", "Score", "Settle", "Review", "Sweep"] as const).find((name) => source.startsWith(name));

/** Which samples and files meet a random kill, by hop. */
const markedOnes = (plan: ChaosPlan): Partial<Record<Killable, Set<string>>> => {
  const { seed, lines, files } = plan;
  const judged = lines.flatMap(({ sample }) => (sample === null ? [] : [sample]));
  const outcomes = lines.map(({ file, ordinal }) => `${file}#0#${ordinal} outcome`);
  const mark = (hop: string, names: readonly string[], count: number): Set<string> =>
    new Set(dealer(seed, `random ${hop}`, names, (name) => name)(Math.max(least, count)));
  return {
    Score: mark("score", judged, lines.length / rarity.Score),
    Settle: mark("settle", outcomes, lines.length / rarity.Settle),
    Intake: mark(
      "intake",
      [...files.keys()].map((file) => `${file} event`),
      files.size / 4,
    ),
  };
};

/**
 * The visibility of what the dead held passes, though sooner than on AWS: after the longest lease, as everywhere, since a
 * message that came back while its lease lived would only be acknowledged.
 */
const bringBack = async (
  stack: EmbeddedStack,
  victim: Killable,
  upTo: number,
  afterMs: number,
): Promise<void> => {
  const part = queueOf[victim];
  if (part === undefined) return;
  await setTimeout(afterMs);
  for (;;) {
    try {
      const queue = Object.keys(stack.queues()).find(
        (name) => name.toLowerCase().includes(part) && !/dead/i.test(name),
      );
      if (queue !== undefined) stack.lapse(queue, upTo);
      return;
    } catch {
      // SQS is stopped at the moment.
      await setTimeout(200);
    }
  }
};
