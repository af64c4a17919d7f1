/** The sample store port in memory. */
import type { SampleStore } from "@touchstone/core/ports";
import { formatSampleKey, type SampleKey } from "@touchstone/core/schema/identity";
import type { Result } from "@touchstone/core/schema/result";
import type { Verdict } from "@touchstone/core/schema/review";

interface Item {
  lease: { readonly token: string; readonly until: number } | null;
  attempts: number;
  result: Result | null;
  verdict: Verdict | null;
}

export const memorySampleStore = (): SampleStore => {
  const items = new Map<string, Item>();
  const itemOf = (key: SampleKey): Item => {
    const name = formatSampleKey(key);
    const item = items.get(name) ?? { lease: null, attempts: 0, result: null, verdict: null };
    items.set(name, item);
    return item;
  };
  return {
    async lease(key, token, now, leaseSeconds) {
      const item = itemOf(key);
      if (item.result) return { kind: "recorded", result: structuredClone(item.result) };
      const live = item.lease !== null && item.lease.until > now;
      if (live && item.lease?.token !== token) return { kind: "busy" };
      if (!live) item.lease = { token, until: now + leaseSeconds * 1000 };
      return { kind: "leased", attempts: item.attempts };
    },
    async release(key, token, failed) {
      const item = itemOf(key);
      if (item.lease?.token !== token) return;
      item.lease = null;
      if (failed) item.attempts += 1;
    },
    async record(key, result) {
      const item = itemOf(key);
      if (!item.result) {
        item.result = structuredClone(result);
        item.lease = null;
      }
      return structuredClone(item.result);
    },
    read: async (keys) =>
      keys.map((key) => {
        const item = items.get(formatSampleKey(key));
        if (!item) return null;
        return structuredClone({ result: item.result, verdict: item.verdict, attempts: item.attempts });
      }),
    async setVerdict(key, verdict) {
      const item = itemOf(key);
      if (item.verdict === null || item.verdict.at <= verdict.at) item.verdict = structuredClone(verdict);
    },
  };
};
