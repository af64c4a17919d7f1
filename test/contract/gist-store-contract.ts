/** What every gist cache must do; run by gist-store.test.ts against memory and DynamoDB. */
import type { GistStore } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";
import { fresh, gist } from "./records.ts";

const now = 1_700_000_000_000;

export const gistStoreContract = (name: string, store: () => GistStore): void => {
  describe(`gist store: ${name}`, () => {
    test("of 50 concurrent leases, one wins", async () => {
      const key = fresh("gist");
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, caller) => store().lease(key, `token-${caller}`, now, 150)),
      );
      expect(outcomes.filter((outcome) => outcome.kind === "leased")).toHaveLength(1);
    });

    test("a lapsed or released lease can be taken", async () => {
      const key = fresh("gist");
      await store().lease(key, "a", now, 150);
      expect(await store().lease(key, "a", now + 1, 150)).toEqual({ kind: "leased" });
      expect(await store().lease(key, "b", now + 149_999, 150)).toEqual({ kind: "busy" });
      expect(await store().lease(key, "b", now + 150_000, 150)).toEqual({ kind: "leased" });
      await store().release(key, "a");
      expect(await store().lease(key, "c", now + 150_001, 150)).toEqual({ kind: "busy" });
      await store().release(key, "b");
      expect(await store().lease(key, "c", now + 150_001, 150)).toEqual({ kind: "leased" });
    });

    test("a gist, once put, is given to everyone, lease or not", async () => {
      const key = fresh("gist");
      await store().lease(key, "a", now, 150);
      await store().put(key, gist());
      expect(await store().lease(key, "b", now, 150)).toEqual({ kind: "ready", gist: gist() });
      await store().release(key, "a");
      expect(await store().lease(key, "c", now + 10 ** 9, 150)).toEqual({ kind: "ready", gist: gist() });
    });

    test("an empty gist is a gist", async () => {
      const key = fresh("gist");
      const empty = gist({ text: "", flags: ["empty"], tokens: 0 });
      await store().put(key, empty);
      expect(await store().lease(key, "a", now, 150)).toEqual({ kind: "ready", gist: empty });
    });
  });
};
