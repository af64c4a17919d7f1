/** Reads the `Retry-After` header of a model server. */
import type { Clock } from "@touchstone/core/ports";

/** Whole seconds from now, at least 0; undefined where the header is absent or unreadable. */
export const parseRetryAfter = (header: string | null, clock: Clock): number | undefined => {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - clock()) / 1000));
};
