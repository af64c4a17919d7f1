/** A span of time as people say it, to one unit. */
import type { FindingText } from "./finding.ts";

const units = [
  { seconds: 86_400, en: "d", zh: "天" },
  { seconds: 3_600, en: "h", zh: "小时" },
  { seconds: 60, en: "min", zh: "分钟" },
  { seconds: 1, en: "s", zh: "秒" },
] as const;

/** `200_000` ms → `3 min`; rounded, never below one second, and in the larger unit only from two of it on. */
export const durationText = (milliseconds: number): FindingText => {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const unit = units.find((candidate) => seconds >= 2 * candidate.seconds) ?? units[3];
  const amount = Math.round(seconds / unit.seconds);
  return { en: `${amount} ${unit.en}`, zh: `${amount} ${unit.zh}` };
};
