/** Loads every task's current template once for a batch; a broken one is named, and stops only its own task. */
import type { TemplatesByTask } from "@touchstone/core/domain/intake/route";
import { errorKind } from "@touchstone/core/errors";
import type { TemplateStore } from "@touchstone/core/ports";

export type LoadedTemplates = TemplatesByTask;

export const loadTemplates = async (store: TemplateStore): Promise<LoadedTemplates> => {
  const known: LoadedTemplates["known"] = new Map();
  const broken: LoadedTemplates["broken"] = new Map();
  await Promise.all(
    (await store.tasks()).map(async (task) => {
      try {
        const current = await store.current(task);
        if (current) known.set(task, current);
      } catch (error) {
        if (errorKind(error) === "transient") throw error;
        broken.set(task, error instanceof Error ? error.message : "the template cannot be read");
      }
    }),
  );
  return { known, broken };
};
