/** What every sample store must do; run by sample-store.test.ts against memory and DynamoDB. */
import type { SampleStore } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";
import { result, sampleKey, verdict } from "./records.ts";

const now = 1_700_000_000_000;
const leaseSeconds = 150;

export const sampleStoreContract = (name: string, store: () => SampleStore): void => {
  describe(`sample store: ${name}`, () => {
    test("of 50 concurrent leases, one wins", async () => {
      const key = sampleKey();
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, caller) => store().lease(key, `token-${caller}`, now, leaseSeconds)),
      );
      expect(outcomes.filter((outcome) => outcome.kind === "leased")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.kind === "busy")).toHaveLength(49);
    });

    test("a lease ends at its very millisecond", async () => {
      const key = sampleKey();
      const end = now + leaseSeconds * 1000;
      await store().lease(key, "a", now, leaseSeconds);
      expect(await store().lease(key, "b", end - 1, leaseSeconds)).toEqual({ kind: "busy" });
      expect(await store().lease(key, "b", end, leaseSeconds)).toEqual({ kind: "leased", attempts: 0 });
    });

    test("asking again with one's own token is no conflict", async () => {
      const key = sampleKey();
      await store().lease(key, "a", now, leaseSeconds);
      expect(await store().lease(key, "a", now + 5, leaseSeconds)).toEqual({ kind: "leased", attempts: 0 });
    });

    test("failed attempts are counted, others are not", async () => {
      const key = sampleKey();
      await store().lease(key, "a", now, leaseSeconds);
      await store().release(key, "a", true);
      await store().lease(key, "b", now, leaseSeconds);
      await store().release(key, "b", false);
      expect(await store().lease(key, "c", now, leaseSeconds)).toEqual({ kind: "leased", attempts: 1 });
    });

    test("a lease that is no longer ours is left alone", async () => {
      const key = sampleKey();
      const later = now + leaseSeconds * 1000;
      await store().lease(key, "a", now, leaseSeconds);
      await store().lease(key, "b", later, leaseSeconds);
      await store().release(key, "a", true);
      expect(await store().lease(key, "c", later + 1, leaseSeconds)).toEqual({ kind: "busy" });
      expect((await store().read([key]))[0]).toEqual({ result: null, verdict: null, attempts: 0 });
    });

    test("a result is recorded once, whoever's lease it is, and ends leasing", async () => {
      const key = sampleKey();
      const paid = result({ sampleId: "paid" });
      await store().lease(key, "a", now, leaseSeconds);
      expect(await store().record(key, paid)).toEqual(paid);
      expect(await store().record(key, result({ sampleId: "late" }))).toEqual(paid);
      expect(await store().lease(key, "b", now + 10 ** 9, leaseSeconds)).toEqual({
        kind: "recorded",
        result: paid,
      });
    });

    test("a result needs no lease", async () => {
      const key = sampleKey();
      expect(await store().record(key, result())).toEqual(result());
    });

    test("20 concurrent records agree on one result", async () => {
      const key = sampleKey();
      const stood = await Promise.all(
        Array.from({ length: 20 }, (_, line) => store().record(key, result({ line: line + 1 }))),
      );
      expect(new Set(stood.map((one) => one.line)).size).toBe(1);
    });

    test("numbers of every size come back as they were", async () => {
      const key = sampleKey();
      const numbers = { a: 0.1 + 0.2, b: 1e-7, c: 1e-130, d: 5e-324, e: 1e300, f: -9999, g: 2 ** 53 + 2 };
      const stored = result({
        fields: [
          {
            id: "relevance",
            value: 1e-7,
            confidence: { source: "logprob", raw: 1e-130, calibrated: 0.1 + 0.2 },
            distribution: numbers,
          },
        ],
        usage: { judgeCalls: 1, promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 0 },
      });
      await store().record(key, stored);
      expect((await store().read([key]))[0]?.result).toEqual(stored);
    });

    test("text of every kind comes back as it was", async () => {
      const key = sampleKey();
      const text = '中文 😀 "quoted" \u0000 \ufffe \ud83d alone';
      await store().record(key, result({ explanation: text }));
      expect((await store().read([key]))[0]?.result?.explanation).toBe(text);
    });

    test("read keeps the order of its keys, repeats them, and knows what is not there", async () => {
      const keys = Array.from({ length: 250 }, (_, ordinal) => ({ ...sampleKey(), ordinal }));
      const stored = keys.filter((_, index) => index % 3 !== 0);
      await Promise.all(stored.map((key) => store().record(key, result({ line: key.ordinal + 1 }))));
      const asked = [...keys, ...keys.slice(0, 5)];
      const found = await store().read(asked);
      expect(found.map((one) => one?.result?.line ?? null)).toEqual(
        asked.map(({ ordinal }) => (ordinal % 3 === 0 ? null : ordinal + 1)),
      );
      expect(await store().read([])).toEqual([]);
    });

    test("a verdict stands beside the result; a later one replaces it", async () => {
      const key = sampleKey();
      await store().record(key, result());
      await store().setVerdict(key, verdict());
      await store().setVerdict(key, verdict({ reviewer: "韩梅梅" }));
      // Redelivered after the later one.
      await store().setVerdict(key, verdict({ at: verdict().at - 1 }));
      expect((await store().read([key]))[0]).toEqual({
        result: result(),
        verdict: verdict({ reviewer: "韩梅梅" }),
        attempts: 0,
      });
    });
  });
};
