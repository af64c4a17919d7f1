/** How far each family is trusted, and what its watches have seen. `status` shows it. */
import { errorKind } from "@touchstone/core/errors";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import type { Watch } from "@touchstone/core/schema/watch";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import type { Connection } from "./connection.ts";

export interface TrustFacts {
  readonly families: readonly FamilyTrust[];
  readonly watches: readonly Watch[];
}

/** Of families that have a calibration or a certificate; a broken template names no family. */
export const trustFacts = async ({
  templates,
  trust,
}: Pick<Connection, "templates" | "trust">): Promise<TrustFacts> => {
  const tasks = await templates.tasks();
  const named = await inParallel(tasks, 8, async (task): Promise<readonly (readonly [string, string])[]> => {
    try {
      const current = await templates.current(task);
      return current ? [[task, current.template.family]] : [];
    } catch (error) {
      if (errorKind(error) === "transient") throw error;
      return [];
    }
  });
  const families = new Map(named.flat());
  const distinct = [...new Set(families.values())].sort();
  const records = await inParallel(distinct, 8, (family) => trust.family(family));
  const known = records.filter(({ version }) => version > 0);
  const certified = new Set(
    known.flatMap(({ family, certificates }) => (certificates.length > 0 ? [family] : [])),
  );
  const watched = [...families].flatMap(([task, family]) => (certified.has(family) ? [task] : []));
  const watches = await inParallel(watched, 8, (task) => trust.watch(task));
  return { families: known, watches: watches.flatMap((watch) => watch ?? []) };
};
