/** What will be submitted, what must become of each line, and what the judge does to whom: all of it drawn from the seed. */
import type { Outcome } from "@touchstone/core/schema/outcome";
import { dealer, draw } from "./draw.ts";

/** What the judge does with one call instead of answering it well. */
export const judgeFaults = [
  "throttle",
  "throttle-asking",
  "throttle-until-swept",
  "silence",
  "error",
  "web-page",
  "cut",
  "nonsense",
] as const;
export type JudgeFault = (typeof judgeFaults)[number];

export interface PlannedLine {
  readonly file: string;
  /** From 1, in the file. */
  readonly line: number;
  /** Position in its split, from 0; the files are too short for a second one. */
  readonly ordinal: number;
  /** Id that the judge sees; null for a line that never gets to a judge. */
  readonly sample: string | null;
  readonly expected: Outcome;
  readonly text: string;
}

export interface ChaosPlan {
  readonly seed: number;
  /** Batch name → its lines; each batch is one file, `samples.jsonl`. */
  readonly files: ReadonlyMap<string, readonly PlannedLine[]>;
  readonly lines: readonly PlannedLine[];
  /** What happens to the first, second … call about a sample; calls after these are answered well. */
  readonly faults: ReadonlyMap<string, readonly JudgeFault[]>;
}

export const task = "ok";

/** Shares of all lines. */
const shares = { bad: 0.02, repeated: 0.01, hopeless: 0.005, wordless: 0.005, unsure: 0.04 } as const;

/**
 * Shares of the lines that a judge would answer well, and what befalls them first. Few refusals ask to be left alone: each
 * keeps a whole instance of SCORE quiet.
 */
const befalls: readonly { readonly share: number; readonly faults: readonly JudgeFault[] }[] = [
  { share: 0.03, faults: ["throttle"] },
  { share: 0.002, faults: ["throttle", "throttle", "throttle-asking"] },
  { share: 0.004, faults: ["throttle-asking"] },
  { share: 0.01, faults: ["silence"] },
  { share: 0.02, faults: ["error"] },
  { share: 0.005, faults: ["error", "cut"] },
  { share: 0.01, faults: ["web-page"] },
  { share: 0.01, faults: ["cut"] },
  { share: 0.01, faults: ["nonsense"] },
];
/** As often as the judge is ever asked. */
const always = (fault: JudgeFault): readonly JudgeFault[] => Array.from({ length: 40 }, () => fault);

export const makePlan = (seed: number, samples: number): ChaosPlan => {
  const fileCount = Math.min(10, Math.max(5, Math.round(samples / 500)));
  const slots = Array.from({ length: samples }, (_, index) => ({
    file: `chaos-${String(index % fileCount).padStart(2, "0")}`,
    line: Math.floor(index / fileCount) + 1,
  }));
  const nameOf = ({ file, line }: (typeof slots)[number]): string => `${file}:${line}`;
  // The first two lines of a file stay good: one of them is what a repeated id repeats.
  const deal = dealer(
    seed,
    "kind",
    slots.filter(({ line }) => line > 2),
    nameOf,
  );
  const kinds = new Map<string, keyof typeof shares>();
  for (const kind of Object.keys(shares) as (keyof typeof shares)[])
    for (const slot of deal(Math.max(2, shares[kind] * samples))) kinds.set(nameOf(slot), kind);
  const lines = slots.map((slot) => plannedLine(slot, kinds.get(nameOf(slot))));
  const faults = new Map<string, readonly JudgeFault[]>();
  for (const { sample, file, line } of lines) {
    const kind = kinds.get(nameOf({ file, line }));
    if (sample !== null && kind === "hopeless") faults.set(sample, always("error"));
    if (sample !== null && kind === "wordless") faults.set(sample, always("nonsense"));
  }
  const healthy = lines.flatMap(({ sample }) => (sample !== null && !faults.has(sample) ? [sample] : []));
  const befall = dealer(seed, "befalls", healthy, (sample) => sample);
  // Somebody must be waiting for longer than a split may be quiet, or SWEEP has nothing to send again.
  for (const sample of befall(1)) faults.set(sample, always("throttle-until-swept"));
  for (const { share, faults: first } of befalls)
    for (const sample of befall(Math.max(1, share * samples))) faults.set(sample, first);
  return { seed, files: Map.groupBy(lines, ({ file }) => file), lines, faults };
};

const plannedLine = (
  { file, line }: { readonly file: string; readonly line: number },
  kind: keyof typeof shares | undefined,
): PlannedLine => {
  const place = { file, line, ordinal: line - 1 };
  const id = `${file}-${line}`;
  const text = (words: string): string => JSON.stringify({ id, output: `hello #${id}# ${words}` });
  switch (kind) {
    case "bad":
      return { ...place, sample: null, expected: "invalid", text: "{not json" };
    case "repeated":
      return {
        ...place,
        sample: null,
        expected: "invalid",
        text: JSON.stringify({ id: `${file}-1`, output: "again" }),
      };
    case "hopeless":
      return { ...place, sample: id, expected: "failed", text: text("") };
    case "wordless":
      return { ...place, sample: id, expected: "review", text: text("") };
    case "unsure":
      return { ...place, sample: id, expected: "review", text: text("(unsure)") };
    case undefined:
      return { ...place, sample: id, expected: "machine", text: text("") };
    default:
      return kind satisfies never;
  }
};

/** Milliseconds that the judge takes over a sample. */
export const latencyOf = ({ seed }: Pick<ChaosPlan, "seed">, sample: string): number =>
  20 + Math.round(draw(seed, "latency", sample) * 100);
