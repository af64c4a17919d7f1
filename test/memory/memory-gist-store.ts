/** The gist cache port in memory; nothing expires. */
import type { GistStore } from "@touchstone/core/ports";
import type { Gist } from "@touchstone/core/schema/gist";

export const memoryGistStore = (): GistStore => {
  const gists = new Map<string, Gist>();
  const leases = new Map<string, { readonly token: string; readonly until: number }>();
  return {
    async lease(cacheKey, token, now, leaseSeconds) {
      const gist = gists.get(cacheKey);
      if (gist) return { kind: "ready", gist: structuredClone(gist) };
      const lease = leases.get(cacheKey);
      if (lease && lease.until > now) return lease.token === token ? { kind: "leased" } : { kind: "busy" };
      leases.set(cacheKey, { token, until: now + leaseSeconds * 1000 });
      return { kind: "leased" };
    },
    async put(cacheKey, gist) {
      gists.set(cacheKey, structuredClone(gist));
      leases.delete(cacheKey);
    },
    async release(cacheKey, token) {
      if (leases.get(cacheKey)?.token === token) leases.delete(cacheKey);
    },
  };
};
