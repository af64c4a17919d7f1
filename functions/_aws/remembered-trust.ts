/** What is known of a family's trust, read anew every so often: without it every sample would cost a call. */
import type { Clock, TrustStore } from "@touchstone/core/ports";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import { rememberLatest } from "./remember.ts";

const rememberedFamilies = 256;

/** A void certificate is heard of after `freshSeconds` at most. */
export const rememberedTrust = (
  store: Pick<TrustStore, "family">,
  freshSeconds: number,
  clock: Clock,
): ((family: string) => Promise<FamilyTrust>) => {
  // A stretch of time is the version under which an answer is remembered.
  const read = rememberLatest(rememberedFamilies, (family: string) => store.family(family));
  return (family) => read(family, String(Math.floor(clock() / (freshSeconds * 1000))));
};
