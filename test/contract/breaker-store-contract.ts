/** What every breaker store must do; run by pressure-stores.test.ts against memory and DynamoDB. */
import { newBreaker, withFailure, withProbe } from "@touchstone/core/domain/pressure/breaker";
import type { BreakerStore } from "@touchstone/core/ports";
import type { Breaker } from "@touchstone/core/schema/pressure";
import { describe, expect, test } from "vitest";

const policy = { witnesses: 1, span: 0, first: 10, most: 300, probe: 150 };
const now = 1_700_000_000_000;
const fail = (breaker: Breaker): Breaker =>
  withFailure(breaker, { who: "s", reason: "throttled", at: now }, policy);

/** `open` gives an empty store. */
export const breakerStoreContract = (name: string, open: () => Promise<BreakerStore>): void => {
  describe(`breaker store: ${name}`, () => {
    test("a breaker that nobody has written is closed and new", async () => {
      expect(await (await open()).read("judge")).toEqual(newBreaker("judge"));
    });

    test("what was written is read back, each endpoint by itself", async () => {
      const store = await open();
      const failed = fail(newBreaker("judge"));
      expect(await store.write(failed)).toBe(true);
      expect(await store.read("judge")).toEqual(failed);
      expect(await store.read("captioner")).toEqual(newBreaker("captioner"));
      const probed = withProbe(failed, "token", now + 10_000, policy);
      expect(await store.write(probed)).toBe(true);
      expect(await store.read("judge")).toEqual(probed);
    });

    test("of 20 writers that saw the same version, one wins: also the first time", async () => {
      const store = await open();
      const race = async (): Promise<number> => {
        const seen = await store.read("judge");
        const written = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            store.write({ ...seen, version: seen.version + 1, reason: `writer ${index}` }),
          ),
        );
        return written.filter(Boolean).length;
      };
      expect(await race()).toBe(1);
      expect(await race()).toBe(1);
      expect((await store.read("judge")).version).toBe(2);
    });
  });
};
