/** Routes a sample to its task: its own `task`, then the path, then the templates' match rules. */
import type { TaskId } from "../../schema/identity.ts";
import type { Sample } from "../../schema/sample.ts";
import type { Template, TemplatePin } from "../../schema/template.ts";

export interface KnownTemplate {
  readonly pin: TemplatePin;
  readonly template: Template;
}

/** Templates as INTAKE finds them; `broken` says why a task's template cannot be used. */
export interface TemplatesByTask {
  readonly known: Map<TaskId, KnownTemplate>;
  readonly broken: Map<TaskId, string>;
}

export type Route =
  | { readonly kind: "routed"; readonly known: KnownTemplate }
  /** No template takes the sample; `task` is what it or its path asked for, if anything. */
  | { readonly kind: "unrouted"; readonly detail: string };

/** Pure: the same sample, path and templates give the same route. Tasks are tried in name order. */
export const routeSample = (
  sample: Sample,
  path: { readonly task: string; readonly belowInbox: string },
  { known, broken }: TemplatesByTask,
): Route => {
  if (sample.task !== undefined) {
    const own = known.get(sample.task);
    const fault = broken.get(sample.task);
    if (own) return { kind: "routed", known: own };
    return {
      kind: "unrouted",
      detail: fault ?? `the sample names task "${sample.task}", which has no template`,
    };
  }
  const byPath = [...known.values()].find((candidate) => candidate.template.task === path.task);
  if (byPath) return { kind: "routed", known: byPath };
  const pathFault = [...broken].find(([task]) => task === path.task)?.[1];
  if (pathFault !== undefined) return { kind: "unrouted", detail: pathFault };
  for (const name of [...known.keys()].sort()) {
    const candidate = known.get(name);
    if (candidate?.template.match.some((rule) => matches(rule, sample, path.belowInbox)))
      return { kind: "routed", known: candidate };
  }
  return { kind: "unrouted", detail: `no template for "${path.task}", and no match rule takes the sample` };
};

const matches = (rule: Template["match"][number], sample: Sample, belowInbox: string): boolean => {
  const conditions = Object.entries(rule.meta ?? {});
  if (conditions.length === 0 && rule.pathPrefix === undefined) return false;
  return (
    conditions.every(([name, wanted]) => sample.meta?.[name] === wanted) &&
    (rule.pathPrefix === undefined || belowInbox.startsWith(rule.pathPrefix))
  );
};
