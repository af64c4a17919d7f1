/** Sorts the output of functions: metric lines are added up, all others are logged. */
import { readEmf } from "./emf.ts";
import type { Metrics } from "./metrics.ts";

/** Takes one line that the function `id` printed. A broken metric line is logged with what is wrong. */
export function metricsOrLog(
  metrics: Metrics,
  log: (source: string, line: string) => void,
): (id: string, line: string) => void {
  return (id, line) => {
    const emf = readEmf(line);
    switch (emf.kind) {
      case "metrics":
        for (const point of emf.datapoints) metrics.add(point);
        break;
      case "invalid":
        log(id, `CloudWatch would drop this metric line: ${emf.why}\n${line}`);
        break;
      case "not-emf":
        log(id, line);
        break;
      default:
        emf satisfies never;
    }
  };
}
