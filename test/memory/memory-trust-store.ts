/** The trust store port in memory. */
import { newFamilyTrust } from "@touchstone/core/domain/trust/family-trust";
import type { TrustStore } from "@touchstone/core/ports";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import type { Watch } from "@touchstone/core/schema/watch";

export const memoryTrustStore = (): TrustStore => {
  const families = new Map<string, FamilyTrust>();
  const watches = new Map<string, Watch>();
  return {
    family: async (family) => structuredClone(families.get(family) ?? newFamilyTrust(family)),
    async changeFamily(family, change) {
      const before = structuredClone(families.get(family) ?? newFamilyTrust(family));
      const next = change(before);
      if (next !== before) families.set(family, structuredClone(next));
      return next;
    },
    watch: async (task) => structuredClone(watches.get(task) ?? null),
    async changeWatch(task, change) {
      const before = structuredClone(watches.get(task) ?? null);
      const next = change(before);
      if (next !== null && next !== before) watches.set(task, structuredClone(next));
      return next;
    },
  };
};
