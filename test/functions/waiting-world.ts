/** Several instances of SCORE over the memory ports, a queue whose delays pass in simulated time, and SWEEP every five minutes. */
import { queueSchemas } from "@touchstone/core/pipeline";
import type { ChatModel } from "@touchstone/core/ports";
import type { BatchId } from "@touchstone/core/schema/identity";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import { breakerWitnesses, timing } from "@touchstone/core/timing";
import { callPurse } from "../../functions/_pressure/call-budget.ts";
import { endpointGate } from "../../functions/_pressure/endpoint-gate.ts";
import { type ScorePorts, scoreSample } from "../../functions/score/score.ts";
import { jsonl, mixedStrategy, plainCaptioner, readingJudge, talkTemplate, upload } from "./fixtures.ts";
import { createWorld } from "./world.ts";

export interface WaitingOptions {
  readonly samples: number;
  readonly template?: object;
  /** May throw; `elapsed` is in seconds since the start. */
  readonly trouble?: (elapsed: number, prompt: string) => Promise<void> | void;
  readonly lineOf?: (index: number) => object;
}

const table = timing();
const instanceCount = 4;
/** As the event source mapping has it. */
const batchSize = 25;

export const createWaitingWorld = async (options: WaitingOptions) => {
  const answering = readingJudge();
  const calls = { refused: [] as number[], paid: answering.prompts };
  const begun = { at: 0 };
  const elapsed = (): number => (world.state.now - begun.at) / 1000;
  const judge: ChatModel = {
    model: "judge-1",
    async complete(request, signal) {
      try {
        await options.trouble?.(elapsed(), JSON.stringify(request.messages));
      } catch (error) {
        calls.refused.push(elapsed());
        throw error;
      }
      return answering.complete(request, signal);
    },
  };
  const world = createWorld({ judge, captioner: plainCaptioner(), strategy: mixedStrategy() });
  world.stores.templates.put(talkTemplate({ decision: { auditRate: 0 }, ...options.template }));
  const lineOf = options.lineOf ?? ((index: number) => ({ id: `s-${index}`, output: `回答 ${index}` }));
  const lines = Array.from({ length: options.samples }, (_, index) => JSON.stringify(lineOf(index)));
  const batch: BatchId = await upload(world, "inbox/talk/b/a.jsonl", jsonl(lines));
  await world.receive("uploads");
  begun.at = world.state.now;

  const delayed: { readonly request: ScoreRequest; readonly dueAt: number }[] = [];
  let turns = 0;
  const later = {
    send: async (requests: readonly ScoreRequest[], delaySeconds = 0) => {
      const dueAt = world.state.now + delaySeconds * 1000;
      delayed.push(...requests.map((request) => ({ request: structuredClone(request), dueAt })));
    },
  };
  const instances: readonly ScorePorts[] = Array.from({ length: instanceCount }, () => {
    const ports = world.ports();
    const complain = (error: unknown) => void world.complaints.push(error);
    return {
      ...ports,
      random: Math.random,
      score: later,
      gate: endpointGate(
        {
          endpoint: "judge",
          policy: { ...table.breaker, witnesses: breakerWitnesses },
          most: batchSize,
          complain,
        },
        { store: world.stores.breakers, clock: ports.clock, token: ports.token },
      ),
      purse: callPurse(world.stores.budgets, () => new Promise(setImmediate), complain),
    };
  });

  /** What SQS would show now. */
  const receive = (): readonly ScoreRequest[] => {
    for (const message of world.queues.score.splice(0))
      delayed.push({ request: queueSchemas.score.parse(message), dueAt: world.state.now });
    const due = delayed.filter(({ dueAt }) => dueAt <= world.state.now).slice(0, batchSize);
    for (const message of due) delayed.splice(delayed.indexOf(message), 1);
    return due.map(({ request }) => request);
  };

  return {
    world,
    batch,
    calls,
    elapsed,
    /** Messages that SCORE has received. */
    turns: () => turns,
    waiting: () => delayed.length + world.queues.score.length,
    /** Runs until no message is left or the time is over; every round is a second, and gaps are skipped. */
    async run(seconds = Number.POSITIVE_INFINITY, sweeps = true): Promise<void> {
      const until = world.state.now + seconds * 1000;
      let sweptAt = world.state.now;
      while (world.state.now < until) {
        for (const ports of instances) {
          const requests = receive();
          turns += requests.length;
          await Promise.all(
            requests.map((request) =>
              scoreSample(request, world.state.now + table.functionTimeout.score * 1000, ports),
            ),
          );
        }
        while (world.queues.settle.length > 0) await world.receive("settle", 100);
        if (sweeps && world.state.now - sweptAt >= table.sweep.period * 1000) {
          await world.sweep();
          sweptAt = world.state.now;
        }
        const next = Math.min(...delayed.map(({ dueAt }) => dueAt));
        const nextSweep = sweeps ? sweptAt + table.sweep.period * 1000 : Number.POSITIVE_INFINITY;
        if (delayed.length + world.queues.score.length === 0) {
          if (until === Number.POSITIVE_INFINITY) return;
          world.state.now = Math.min(until, nextSweep);
          continue;
        }
        world.state.now = Math.min(Math.max(world.state.now + 1_000, next), nextSweep, until);
      }
    },
    async samples() {
      const keys = Array.from({ length: options.samples }, (_, ordinal) => ({
        batch,
        run: 1,
        split: 0,
        ordinal,
      }));
      return world.stores.samples.read(keys);
    },
  };
};
