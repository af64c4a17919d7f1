/** What every review store must do; run by review-store.test.ts against memory and DynamoDB. */
import type { ReviewStore } from "@touchstone/core/ports";
import type { ReviewTask } from "@touchstone/core/schema/review";
import { describe, expect, test } from "vitest";
import { allOf } from "./all-of.ts";
import { fresh, reviewTask, sampleKey, verdict } from "./records.ts";

const now = 1_700_000_000_000;
const lease = (token: string, from = now) => ({ reviewer: "李雷", token, expiresAt: from + 1_800_000 });

export const reviewStoreContract = (name: string, store: () => ReviewStore): void => {
  const opened = async (part: Partial<ReviewTask> = {}): Promise<ReviewTask> => {
    const task = reviewTask(part);
    await store().open(task);
    return task;
  };

  describe(`review store: ${name}`, () => {
    test("a task opens once and comes back whole", async () => {
      const task = reviewTask();
      expect(await store().open(task)).toBe(true);
      expect(await store().open({ ...task, priority: 1 })).toBe(false);
      expect(await store().get(task.id)).toEqual(task);
      expect(await store().get("nothing")).toBeNull();
    });

    test("of 20 concurrent claims, one wins", async () => {
      const { id } = await opened();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, caller) => store().claim(id, lease(`token-${caller}`), now)),
      );
      expect(outcomes.filter((outcome) => outcome.kind === "claimed")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.kind === "busy")).toHaveLength(19);
    });

    test("a claim shows the task with its lease; asking again with the same token is no conflict", async () => {
      const task = await opened();
      const claimed = { kind: "claimed", task: { ...task, state: "claimed", lease: lease("a") } };
      expect(await store().claim(task.id, lease("a"), now)).toEqual(claimed);
      expect(await store().claim(task.id, lease("a"), now + 1)).toEqual(claimed);
      expect(await store().claim("nothing", lease("a"), now)).toEqual({ kind: "missing" });
    });

    test("a lapsed lease can be claimed and the old token is worth nothing", async () => {
      const { id } = await opened();
      await store().claim(id, lease("a"), now);
      const later = now + 1_800_000;
      expect(await store().claim(id, lease("b", later), later - 1)).toEqual({ kind: "busy" });
      expect(await store().claim(id, lease("b", later), later)).toMatchObject({ kind: "claimed" });
      expect(await store().extend(id, "a", later + 1, later)).toBe(false);
      expect(await store().release(id, "a")).toBe(false);
      expect(await store().submit(id, "a", verdict())).toBe("lease-lost");
      expect(await store().submit(id, "b", verdict())).toBe("accepted");
    });

    test("a live lease is extended by its token, a lapsed one is not", async () => {
      const { id } = await opened();
      await store().claim(id, lease("a"), now);
      expect(await store().extend(id, "b", now + 5_000_000, now)).toBe(false);
      expect(await store().extend(id, "a", now + 5_000_000, now)).toBe(true);
      expect((await store().get(id))?.lease?.expiresAt).toBe(now + 5_000_000);
      expect(await store().extend(id, "a", now + 9_000_000, now + 5_000_000)).toBe(false);
    });

    test("a released task is open again", async () => {
      const task = await opened();
      await store().claim(task.id, lease("a"), now);
      expect(await store().release(task.id, "a")).toBe(true);
      expect(await store().get(task.id)).toEqual(task);
      expect(await store().release(task.id, "a")).toBe(false);
      expect(await store().submit(task.id, "a", verdict())).toBe("lease-lost");
      expect(await store().claim(task.id, lease("b"), now)).toMatchObject({ kind: "claimed" });
    });

    test("a late verdict counts as long as nobody else claimed", async () => {
      const task = await opened();
      await store().claim(task.id, lease("a"), now);
      expect(await store().submit(task.id, "a", verdict({ at: now + 10 ** 9 }))).toBe("accepted");
      const done = { ...task, state: "done", verdict: verdict({ at: now + 10 ** 9 }) };
      expect(await store().get(task.id)).toEqual(done);
    });

    test("a task with a verdict is done for everyone", async () => {
      const { id } = await opened();
      await store().claim(id, lease("a"), now);
      await store().submit(id, "a", verdict());
      expect(await store().submit(id, "a", verdict({ note: "again" }))).toBe("already");
      expect(await store().submit(id, "b", verdict())).toBe("already");
      expect(await store().claim(id, lease("b"), now + 10 ** 9)).toEqual({ kind: "done" });
      expect(await store().extend(id, "a", now + 1, now)).toBe(false);
      expect(await store().release(id, "a")).toBe(false);
      expect((await store().get(id))?.verdict?.note).toBeUndefined();
      expect(await store().submit("nothing", "a", verdict())).toBe("lease-lost");
    });

    test("of concurrent verdicts with one token, one is accepted", async () => {
      const { id } = await opened();
      await store().claim(id, lease("a"), now);
      const answers = await Promise.all(Array.from({ length: 10 }, () => store().submit(id, "a", verdict())));
      expect(answers.filter((answer) => answer === "accepted")).toHaveLength(1);
      expect(answers.filter((answer) => answer === "already")).toHaveLength(9);
    });

    test("claimable gives open and lapsed tasks of a task, most useful first", async () => {
      const task = fresh("task");
      const priorities = Array.from({ length: 60 }, (_, index) => ((index * 23) % 60) / 100);
      const tasks = await Promise.all(
        priorities.map((priority, ordinal) => opened({ task, priority, key: sampleKey(ordinal) })),
      );
      const byPriority = [...tasks].sort((left, right) => right.priority - left.priority);
      const ids = byPriority.map(({ id }) => id);
      const [first = "", second = "", third = ""] = ids;
      await store().claim(first, lease("live"), now);
      await store().claim(second, { ...lease("lapsed"), expiresAt: now + 5 }, now);
      await store().claim(third, lease("done"), now);
      await store().submit(third, "done", verdict());
      const found = await store().claimable({ task, now: now + 5, limit: 10 });
      expect(found.map(({ id }) => id)).toEqual([second, ...ids.slice(3, 12)]);
      expect(await store().claimable({ task, now: now + 5, limit: 500 })).toHaveLength(58);
      expect(await store().claimable({ task: "no-such-task", now, limit: 5 })).toEqual([]);
      expect(await store().claimable({ now, limit: 3 })).toHaveLength(3);
      expect(await store().claimable({ now, limit: 0 })).toEqual([]);
    });

    test("of equally useful tasks the oldest comes first", async () => {
      const task = fresh("task");
      const young = await opened({ task, createdAt: 2_000, key: sampleKey(1) });
      const old = await opened({ task, createdAt: 1_000, key: sampleKey(2) });
      const found = await store().claimable({ task, now, limit: 5 });
      expect(found.map(({ id }) => id)).toEqual([old.id, young.id]);
    });

    test("a verdict is unheard until it is marked as heard; a mark before there is one changes nothing", async () => {
      const batch = sampleKey().batch;
      const answered = Array.from({ length: 103 }, (_, ordinal) => ({ key: sampleKey(ordinal, batch) }));
      const tasks = await Promise.all(answered.map((part) => opened(part)));
      await Promise.all(
        tasks.map(async ({ id }) => {
          await store().markHeard(id);
          await store().claim(id, lease("a"), now);
          await store().submit(id, "a", verdict({ at: now + 7 }));
        }),
      );
      const ids = new Set(tasks.map(({ id }) => id));
      const unheard = async () => (await allOf(store().unheard())).filter(({ id }) => ids.has(id));
      const found = await unheard();
      expect(new Set(found.map(({ id }) => id))).toEqual(ids);
      expect(new Set(found.map(({ givenAt }) => givenAt))).toEqual(new Set([now + 7]));
      const [kept = "", ...heard] = tasks.map(({ id }) => id);
      await Promise.all(heard.map((id) => store().markHeard(id)));
      await store().markHeard(heard[0] ?? "");
      await store().markHeard("nothing");
      expect(await unheard()).toEqual([{ id: kept, givenAt: now + 7 }]);
      expect(await store().get(heard[0] ?? "")).toMatchObject({ state: "done", verdict: { at: now + 7 } });
      expect(await store().get("nothing")).toBeNull();
    });

    test("undecided gives every task without a verdict, oldest first", async () => {
      const ages = Array.from({ length: 130 }, (_, index) => (index * 37) % 130);
      const batch = sampleKey().batch;
      const tasks = await Promise.all(
        ages.map((age, ordinal) =>
          opened({ createdAt: 5_000 + age, priority: (age % 7) / 7, key: sampleKey(ordinal, batch) }),
        ),
      );
      const [open, claimed, done] = tasks;
      await store().claim(claimed?.id ?? "", lease("a"), now);
      await store().claim(done?.id ?? "", lease("b"), now);
      await store().submit(done?.id ?? "", "b", verdict());
      const found = (await allOf(store().undecided())).filter((task) => task.key.batch === batch);
      expect(found.map(({ createdAt }) => createdAt)).toEqual(
        ages
          .map((age) => 5_000 + age)
          .filter((age) => age !== done?.createdAt)
          .sort((left, right) => left - right),
      );
      expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([open?.id, claimed?.id]));
    });
  });
};
