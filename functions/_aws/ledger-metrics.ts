/** Ledger events as EMF metrics; SETTLE publishes once an invocation, after the conditional writes. */
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { LedgerEvent } from "@touchstone/core/schema/ledger";
import type { OutcomeMessage } from "@touchstone/core/schema/messages";
import type { LostCause } from "@touchstone/core/schema/tallies";

/** Metric per event; an outcome also counts as one of `Samples`. */
const metricNames = {
  machine: "Machine",
  review: "Review",
  invalid: "Invalid",
  failed: "Failed",
  reviewed: "Reviewed",
  audited: "Audited",
} as const satisfies Record<LedgerEvent, string>;

/** What coverage was lost to; with `Certified`, what stands behind the rest. */
const lostNames = {
  "low-confidence": "LostLowConfidence",
  "missing-logprobs": "LostMissingLogprobs",
  format: "LostFormat",
  veto: "LostVeto",
  policy: "LostPolicy",
  "no-certificate": "LostNoCertificate",
} as const satisfies Record<LostCause, string>;

/** Every series costs money for ever, so only these two are kept per task. */
const perTask = new Set<LedgerEvent>(["machine", "review"]);
const outcomes = new Set<LedgerEvent>(["machine", "review", "invalid", "failed"]);

export interface LedgerMetrics {
  count(event: LedgerEvent, task: string, coverage?: OutcomeMessage["coverage"]): void;
  publish(): void;
}

export const createLedgerMetrics = (): LedgerMetrics => {
  const totals = new Map<string, number>();
  const tasks = new Map<string, Map<string, number>>();
  const add = (counts: Map<string, number>, name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  return {
    count(event, task, coverage) {
      add(totals, metricNames[event]);
      if (outcomes.has(event)) add(totals, "Samples");
      if (coverage?.certified) add(totals, "Certified");
      if (coverage?.lost) add(totals, lostNames[coverage.lost]);
      if (perTask.has(event) && task !== "") {
        const counts = tasks.get(task) ?? new Map<string, number>();
        add(counts, metricNames[event]);
        tasks.set(task, counts);
      }
    },
    publish() {
      emit(totals, null);
      for (const [task, counts] of tasks) emit(counts, task);
      totals.clear();
      tasks.clear();
    },
  };
};

const emit = (counts: ReadonlyMap<string, number>, task: string | null): void => {
  if (counts.size === 0) return;
  // Powertools adds a `service` dimension by itself, and each dimension makes another billed series.
  const metrics = new Metrics({ namespace: process.env.POWERTOOLS_METRICS_NAMESPACE ?? "Touchstone" });
  metrics.clearDefaultDimensions();
  if (task !== null) metrics.addDimension("Task", task);
  for (const [name, value] of counts) metrics.addMetric(name, MetricUnit.Count, value);
  metrics.publishStoredMetrics();
};
