/** The template store port in memory; templates are put as objects or as broken text. */
import { permanent } from "@touchstone/core/errors";
import type { LabelledExample, TemplateStore } from "@touchstone/core/ports";
import type { TaskId } from "@touchstone/core/schema/identity";
import type { Template, TemplatePin } from "@touchstone/core/schema/template";

interface Version {
  readonly pin: TemplatePin;
  /** null: the file is broken. */
  readonly template: Template | null;
  readonly examples: readonly LabelledExample[];
}

export interface MemoryTemplateStore extends TemplateStore {
  /** Adds a version and makes it the current one. */
  put(template: Template, examples?: readonly LabelledExample[]): void;
  /** Adds a version that cannot be read and makes it the current one. */
  putBroken(task: TaskId): void;
}

export const memoryTemplateStore = (): MemoryTemplateStore => {
  const versions: Version[] = [];
  const add = (
    task: TaskId,
    version: number,
    template: Template | null,
    examples: readonly LabelledExample[],
  ) => {
    const versionId = `v${versions.length + 1}`;
    const examplesVersionId = examples.length > 0 ? versionId : undefined;
    versions.push({ pin: { task, version, versionId, examplesVersionId }, template, examples });
  };
  const find = (pin: TemplatePin): Version => {
    const version = versions.find(
      ({ pin: known }) => known.task === pin.task && known.versionId === pin.versionId,
    );
    if (!version) throw permanent("object-missing", `task ${pin.task} has no version ${pin.versionId}`);
    return version;
  };
  const whole = ({ pin, template }: Version): Template => {
    if (!template) throw permanent("bad-template", `the template of ${pin.task} is broken`);
    return template;
  };
  return {
    put: (template, examples = []) => add(template.task, template.version, template, examples),
    putBroken: (task) => add(task, 1, null, []),
    async current(task) {
      const version = versions.findLast(({ pin }) => pin.task === task);
      return version ? { pin: version.pin, template: whole(version) } : null;
    },
    pinned: async (pin) => whole(find(pin)),
    examples: async (pin) => (pin.examplesVersionId === undefined ? [] : find(pin).examples),
    tasks: async () => [...new Set(versions.map(({ pin }) => pin.task))].sort(),
  };
};
