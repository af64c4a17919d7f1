/** Loads the templates of a batch: the current ones when it is opened, and ever after the versions pinned then. */
import type { KnownTemplate, TemplatesByTask } from "@touchstone/core/domain/intake/route";
import { errorKind } from "@touchstone/core/errors";
import type { TemplateStore } from "@touchstone/core/ports";
import type { TaskId } from "@touchstone/core/schema/identity";
import type { TemplatePin } from "@touchstone/core/schema/template";

/** Every task's current template; a broken one is named, and stops only its own task. */
export const loadTemplates = async (store: TemplateStore): Promise<TemplatesByTask> =>
  gather(
    await store.tasks(),
    (task) => task,
    (task) => store.current(task),
  );

/**
 * The very templates that a batch was opened with, so that an edit in mid-batch changes nothing; `current` only says why
 * a task has none.
 */
export const pinnedTemplates = async (
  pins: readonly TemplatePin[] | undefined,
  current: TemplatesByTask,
  store: TemplateStore,
): Promise<TemplatesByTask> => {
  if (pins === undefined) return current;
  const pinned = await gather(
    pins,
    (pin) => pin.task,
    async (pin) => ({ pin, template: await store.pinned(pin) }),
  );
  return { known: pinned.known, broken: new Map([...current.broken, ...pinned.broken]) };
};

const gather = async <Wanted>(
  wanted: readonly Wanted[],
  taskOf: (one: Wanted) => TaskId,
  load: (one: Wanted) => Promise<KnownTemplate | null>,
): Promise<TemplatesByTask> => {
  const known: TemplatesByTask["known"] = new Map();
  const broken: TemplatesByTask["broken"] = new Map();
  await Promise.all(
    wanted.map(async (one) => {
      try {
        const found = await load(one);
        if (found) known.set(taskOf(one), found);
      } catch (error) {
        if (errorKind(error) === "transient") throw error;
        broken.set(taskOf(one), error instanceof Error ? error.message : "the template cannot be read");
      }
    }),
  );
  return { known, broken };
};
