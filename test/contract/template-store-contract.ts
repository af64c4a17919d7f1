/** What every template store must do; run by template-store.test.ts against memory and S3. */
import type { LabelledExample, TemplateStore } from "@touchstone/core/ports";
import type { TaskId } from "@touchstone/core/schema/identity";
import { describe, expect, test } from "vitest";
import { fresh, taskId } from "./records.ts";

export interface TemplateHarness {
  readonly store: TemplateStore;
  /** Puts a version of a minimal template and its examples, and lets enough time pass for it to count. */
  readonly publish: (task: TaskId, version: number, examples?: readonly LabelledExample[]) => Promise<void>;
  readonly publishBroken: (task: TaskId) => Promise<void>;
}

export const example = (id: string): LabelledExample => ({
  sample: { id, output: "答", labels: { relevance: "A" } },
  labels: { relevance: "A" },
});

export const templateStoreContract = (name: string, harness: () => TemplateHarness): void => {
  const newTask = () => taskId(fresh("task"));

  describe(`template store: ${name}`, () => {
    test("a task without a template has none", async () => {
      expect(await harness().store.current(newTask())).toBeNull();
    });

    test("the current template is the last one; a pin keeps reading the old one", async () => {
      const { store, publish } = harness();
      const task = newTask();
      await publish(task, 1);
      const first = await store.current(task);
      await publish(task, 2);
      const second = await store.current(task);
      expect(first?.pin).toMatchObject({ task, version: 1 });
      expect(second?.pin).toMatchObject({ task, version: 2 });
      if (!first || !second) throw new Error("both versions were published");
      expect(await store.pinned(first.pin)).toEqual(first.template);
      expect(await store.pinned(second.pin)).toEqual(second.template);
      expect(first.template).toMatchObject({ task, version: 1, fields: [{ id: "relevance" }] });
    });

    test("examples belong to their pin", async () => {
      const { store, publish } = harness();
      const task = newTask();
      await publish(task, 1, [example("one")]);
      const first = await store.current(task);
      await publish(task, 2, [example("one"), example("two")]);
      const second = await store.current(task);
      if (!first || !second) throw new Error("both versions were published");
      expect(await store.examples(first.pin)).toEqual([example("one")]);
      expect(await store.examples(second.pin)).toEqual([example("one"), example("two")]);
    });

    test("a task without examples has an empty list", async () => {
      const { store, publish } = harness();
      const task = newTask();
      await publish(task, 1);
      const current = await store.current(task);
      expect(current?.pin.examplesVersionId).toBeUndefined();
      if (current) expect(await store.examples(current.pin)).toEqual([]);
    });

    test("a broken template is a permanent error, and older pins still read", async () => {
      const { store, publish, publishBroken } = harness();
      const task = newTask();
      await publish(task, 1);
      const first = await store.current(task);
      await publishBroken(task);
      await expect(store.current(task)).rejects.toMatchObject({ kind: "permanent", code: "bad-template" });
      if (first) expect(await store.pinned(first.pin)).toEqual(first.template);
    });

    test("a pin of a version that never was is a permanent error", async () => {
      const pin = { task: newTask(), version: 1, versionId: "never-was" };
      await expect(harness().store.pinned(pin)).rejects.toMatchObject({
        kind: "permanent",
        code: "object-missing",
      });
    });

    test("tasks come in name order", async () => {
      const { store, publish } = harness();
      const [one, two] = [newTask(), newTask()];
      await publish(two, 1);
      await publish(one, 1);
      const names = await store.tasks();
      expect(names).toEqual([...names].sort());
      expect(names).toEqual(expect.arrayContaining([one, two]));
    });
  });
};
