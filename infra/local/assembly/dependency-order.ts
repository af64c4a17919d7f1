/** Depth-first ordering by dependency, for stacks and for the resources of a stack. */

/** Every id after its dependencies; dependencies outside `ids` are ignored. Throws on a cycle, naming it. */
export function dependenciesFirst(
  ids: readonly string[],
  dependencies: (id: string) => Iterable<string>,
): string[] {
  const known = new Set(ids);
  const state = new Map<string, "open" | "done">();
  const ordered: string[] = [];
  const visit = (id: string, trail: readonly string[]): void => {
    const seen = state.get(id);
    if (seen === "done") return;
    if (seen === "open") throw new Error(`circular dependency: ${[...trail, id].join(" → ")}`);
    state.set(id, "open");
    for (const next of dependencies(id)) if (known.has(next)) visit(next, [...trail, id]);
    state.set(id, "done");
    ordered.push(id);
  };
  for (const id of ids) visit(id, []);
  return ordered;
}
