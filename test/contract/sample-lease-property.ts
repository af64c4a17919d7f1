/** Random orders of lease, release and record: no two callers at one time, no paid answer lost; memory is the model. */
import type { SampleStore } from "@touchstone/core/ports";
import type { SampleKey } from "@touchstone/core/schema/identity";
import * as fc from "fast-check";
import { expect } from "vitest";
import { memorySampleStore } from "../memory/memory-sample-store.ts";
import { result, sampleKey } from "./records.ts";

export type Step =
  | { readonly do: "lease"; readonly caller: number }
  | { readonly do: "release"; readonly caller: number; readonly failed: boolean }
  | { readonly do: "record"; readonly caller: number }
  | { readonly do: "wait"; readonly seconds: number };

const caller = fc.integer({ min: 0, max: 3 });
export const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("lease" as const), caller }),
    fc.record({ do: fc.constant("release" as const), caller, failed: fc.boolean() }),
    fc.record({ do: fc.constant("record" as const), caller }),
    fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 200 }) }),
  ),
  { minLength: 3, maxLength: 30 },
);

const leaseSeconds = 100;

/** One key under one store: takes steps, checks the promises, and says what every step answered. */
async function take(store: SampleStore, key: SampleKey, plan: readonly Step[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  const tokens = new Map<number, string>();
  let now = 1_700_000_000_000;
  let holder: { readonly token: string; readonly until: number } | null = null;
  let paid: number | null = null;
  for (const [index, step] of plan.entries()) {
    if (step.do === "wait") {
      now += step.seconds * 1000;
      continue;
    }
    const token = tokens.get(step.caller) ?? "none";
    if (step.do === "lease") {
      const fresh = `${step.caller}-${index}`;
      const outcome = await store.lease(key, fresh, now, leaseSeconds);
      if (outcome.kind === "leased") {
        expect(paid, "nobody may pay again for a recorded sample").toBeNull();
        expect(holder === null || holder.until <= now, "two callers at one time").toBe(true);
        holder = { token: fresh, until: now + leaseSeconds * 1000 };
        tokens.set(step.caller, fresh);
      }
      answers.push(outcome);
    } else if (step.do === "release") {
      await store.release(key, token, step.failed);
      if (holder?.token === token) holder = null;
    } else {
      const standing = await store.record(key, result({ line: index + 1 }));
      paid ??= index + 1;
      expect(standing.line, "the first paid answer stands").toBe(paid);
      answers.push(standing);
    }
  }
  return [...answers, await store.read([key])];
}

/** Runs the plan against the store and against memory; both must answer the same. */
export const agreesWithMemory = async (store: SampleStore, plan: readonly Step[]): Promise<void> => {
  const key = sampleKey();
  const expected = await take(memorySampleStore(), key, plan);
  expect(normalised(await take(store, key, plan))).toEqual(normalised(expected));
};

/** An item that was never written and one that holds nothing yet mean the same. */
const normalised = (answers: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(answers).replace('{"result":null,"verdict":null,"attempts":0}', "null"));
