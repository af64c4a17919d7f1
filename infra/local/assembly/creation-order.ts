/** The order in which a stack's resources can be created: each after those it refers to. */
import { dependenciesFirst } from "./dependency-order.ts";
import type { TemplateResource } from "./template.ts";

/** Logical ids of `resources`, dependencies first; throws on a cycle, naming it. */
export function creationOrder(resources: Readonly<Record<string, TemplateResource>>): string[] {
  const references = new Map(
    Object.entries(resources).map(([id, resource]) => [
      id,
      new Set([...resource.DependsOn, ...referencesIn(resource.Properties)]),
    ]),
  );
  return dependenciesFirst(Object.keys(resources), (id) => references.get(id) ?? []);
}

/** Logical ids (and parameter names) that `Ref`, `Fn::GetAtt` and `Fn::Sub` name anywhere inside `value`. */
export function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* referencesIn(item);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === "Ref" && typeof item === "string") yield item;
    else if (key === "Fn::GetAtt") yield String(Array.isArray(item) ? item[0] : String(item).split(".")[0]);
    else if (key === "Fn::Sub") {
      yield* namesInPattern(Array.isArray(item) ? item[0] : item);
      if (Array.isArray(item)) yield* referencesIn(item[1]);
    } else yield* referencesIn(item);
  }
}

function* namesInPattern(pattern: unknown): Generator<string> {
  for (const [, name] of String(pattern).matchAll(/\$\{([^!}][^}]*)\}/g))
    if (name) yield name.split(".")[0] ?? name;
}
