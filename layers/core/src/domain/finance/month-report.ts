/** What finance closes a month with: samples, reviews and rates by task, from the tallies of the ledger's splits. */
import {
  type LedgerEvent,
  ledgerEvents,
  type SplitRecord,
  type SplitTally,
  type Tally,
} from "../../schema/ledger.ts";
import { outcomes } from "../../schema/outcome.ts";
import { machineReviewRate } from "../ledger/batch.ts";
import { countSplit } from "../ledger/split.ts";
import { quarterHour } from "../ledger/tally.ts";
import type { Window } from "./month-window.ts";

/** Counts of what happened within the window; `total` is the number of samples that were decided in it. */
export interface MonthRow {
  readonly total: number;
  readonly machine: number;
  readonly review: number;
  readonly invalid: number;
  readonly failed: number;
  /** Verdicts, also of samples decided earlier. */
  readonly reviewed: number;
  readonly audited: number;
  /** Runs of batches that have any part in these counts; a replay is a run of its own. */
  readonly runs: number;
  readonly batches: number;
  /** machine ÷ (total − invalid); null where nothing valid was decided. */
  readonly grossMachineReviewRate: number | null;
  /** (reviewed + audited) ÷ (total − invalid): verdicts that people gave for each valid sample; above 1 in a month
   * that works off an earlier one. */
  readonly netHumanLoad: number | null;
}

export interface MonthReport {
  /** In order of their names; what belongs to no task is under `-`. */
  readonly tasks: readonly (MonthRow & { readonly task: string })[];
  readonly total: MonthRow;
  /** Samples of runs that were opened before the window's end and have no outcome yet. */
  readonly undecided: number;
}

/** A run of a batch as far as the report needs it. */
export interface RunOfSplit {
  readonly openedAt: number;
}

interface Sums {
  readonly counts: Record<LedgerEvent, number>;
  readonly runs: Set<string>;
  readonly batches: Set<string>;
}

/** Takes splits one by one, in any order; holds names and counts only, so a ledger of any size fits. */
export interface MonthSums {
  add(split: SplitRecord, run: RunOfSplit): void;
  /** All tasks, or the one asked for. */
  report(task?: string): MonthReport;
}

/** Sums the tallies that fall into the window: a quarter-hour does if it begins in it. */
export const sumMonth = (window: Window): MonthSums => {
  const tasks = new Map<string, Sums>();
  let undecided = 0;
  return {
    add(split, { openedAt }) {
      if (openedAt < window.end) undecided += undecidedOf(split);
      for (const [task, counts] of countsWithin(split.tally, window)) {
        const sums = tasks.get(task) ?? noSums();
        tasks.set(task, sums);
        for (const event of ledgerEvents) sums.counts[event] += counts[event] ?? 0;
        sums.batches.add(split.batch);
        sums.runs.add(`${split.batch}#${split.run}`);
      }
    },
    report(task) {
      const chosen = [...tasks].filter(([name]) => task === undefined || name === task);
      chosen.sort(([left], [right]) => (left < right ? -1 : 1));
      return {
        tasks: chosen.map(([name, sums]) => ({ task: name, ...rowOf(sums) })),
        total: rowOf(chosen.map(([, sums]) => sums).reduce(addSums, noSums())),
        undecided,
      };
    },
  };
};

const undecidedOf = (split: SplitRecord): number => {
  const counts = countSplit(split);
  return outcomes.reduce((left, outcome) => left - counts[outcome], counts.total);
};

/** Tasks with anything in the window. */
const countsWithin = (tally: SplitTally, window: Window): [string, Tally][] =>
  Object.entries(tally).flatMap(([task, quarters]): [string, Tally][] => {
    const within = Object.entries(quarters).filter(([quarter]) =>
      isWithin(Number(quarter) * quarterHour, window),
    );
    if (within.length === 0) return [];
    const sum: Tally = {};
    for (const [, counts] of within)
      for (const event of ledgerEvents) sum[event] = (sum[event] ?? 0) + (counts[event] ?? 0);
    return [[task, sum]];
  });

const isWithin = (at: number, { start, end }: Window): boolean => at >= start && at < end;

const noSums = (): Sums => ({
  counts: { machine: 0, review: 0, invalid: 0, failed: 0, reviewed: 0, audited: 0 },
  runs: new Set(),
  batches: new Set(),
});

const addSums = (left: Sums, right: Sums): Sums => {
  const sum: Sums = {
    ...noSums(),
    runs: left.runs.union(right.runs),
    batches: left.batches.union(right.batches),
  };
  for (const event of ledgerEvents) sum.counts[event] = left.counts[event] + right.counts[event];
  return sum;
};

const rowOf = ({ counts, runs, batches }: Sums): MonthRow => {
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  const valid = total - counts.invalid;
  return {
    total,
    ...counts,
    runs: runs.size,
    batches: batches.size,
    grossMachineReviewRate: machineReviewRate({ ...counts, total }),
    netHumanLoad: valid > 0 ? (counts.reviewed + counts.audited) / valid : null,
  };
};
