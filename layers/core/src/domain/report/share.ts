/** Shares with their intervals, as every part of the trust report gives them. */
import { wilsonInterval } from "../certificate/bounds.ts";

/** A share with Wilson's 95 % interval. */
export interface Share {
  readonly part: number;
  readonly of: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** null of nothing. */
export const shareOf = (part: number, of: number): Share | null => {
  if (of === 0) return null;
  const [low, high] = wilsonInterval(part, of);
  return { part, of, rate: part / of, low, high };
};
