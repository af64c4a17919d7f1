/** The audit stream: which accepted samples a person checks, blind, whatever the confidence was. */
import { hash64 } from "../intake/id-set.ts";

/** True for a fraction `rate` of samples, decided by `hash(id, salt)` alone (science: uniform, so bounds are exact). */
export const isAudited = (sampleId: string, salt: string, rate: number): boolean => {
  const [high, low] = hash64(`${salt}\u0000${sampleId}`);
  return (high * 2 ** 32 + low) / 2 ** 64 < rate;
};
