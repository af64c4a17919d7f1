/** How adapters wait between tries; time and chance are arguments, so that tests need neither. */
import { setTimeout as wait } from "node:timers/promises";

export interface Pace {
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

export const realPace: Pace = { random: Math.random, sleep: (milliseconds) => wait(milliseconds) };

/** Milliseconds before try `tries` + 1: full jitter under a doubling ceiling. */
export const backoffMs = (tries: number, firstMs: number, mostMs: number, random: () => number): number =>
  Math.round(Math.min(mostMs, firstMs * 2 ** (tries - 1)) * random());
