/** The breaker store port in memory; counts what a database would be asked. */
import { newBreaker } from "@touchstone/core/domain/pressure/breaker";
import type { BreakerStore } from "@touchstone/core/ports";
import type { Breaker, EndpointName } from "@touchstone/core/schema/pressure";

export interface MemoryBreakerStore extends BreakerStore {
  readonly reads: () => number;
  /** Refused ones included. */
  readonly writes: () => number;
}

export const memoryBreakerStore = (): MemoryBreakerStore => {
  const breakers = new Map<EndpointName, Breaker>();
  let reads = 0;
  let writes = 0;
  return {
    reads: () => reads,
    writes: () => writes,
    async read(endpoint) {
      reads += 1;
      return structuredClone(breakers.get(endpoint) ?? newBreaker(endpoint));
    },
    async write(breaker) {
      writes += 1;
      const stored = breakers.get(breaker.endpoint)?.version ?? 0;
      if (stored !== breaker.version - 1) return false;
      breakers.set(breaker.endpoint, structuredClone(breaker));
      return true;
    },
  };
};
