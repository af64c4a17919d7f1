/** CloudWatch's place here: adds up the metrics that functions printed, to be read by demos, tests and reports. */
import type { Datapoint } from "./emf.ts";

export interface MetricSeries {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly sum: number;
  readonly samples: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly latest: number;
}

export interface Metrics {
  add(point: Datapoint): void;
  /** Sum of the one series with exactly these dimensions; 0 when nothing was printed for it. */
  sum(namespace: string, name: string, dimensions?: Readonly<Record<string, string>>): number;
  all(): MetricSeries[];
}

export function createMetrics(): Metrics {
  const series = new Map<string, MetricSeries>();
  return {
    add({ namespace, name, dimensions, values }) {
      const key = keyOf(namespace, name, dimensions);
      let { sum, samples, minimum, maximum, latest } = series.get(key) ?? empty;
      for (const value of values) {
        sum += value;
        samples++;
        minimum = Math.min(minimum, value);
        maximum = Math.max(maximum, value);
        latest = value;
      }
      series.set(key, { namespace, name, dimensions, sum, samples, minimum, maximum, latest });
    },
    sum: (namespace, name, dimensions = {}) => series.get(keyOf(namespace, name, dimensions))?.sum ?? 0,
    all: () => [...series.values()],
  };
}

const empty = {
  sum: 0,
  samples: 0,
  minimum: Number.POSITIVE_INFINITY,
  maximum: Number.NEGATIVE_INFINITY,
  latest: 0,
};

function keyOf(namespace: string, name: string, dimensions: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(dimensions).sort(([left], [right]) => left.localeCompare(right));
  return JSON.stringify([namespace, name, sorted]);
}
