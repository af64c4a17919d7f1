/** Checks on a captioner's answer: it is flagged, never trusted silently. */
import type { GistFlag } from "../../schema/gist.ts";

const shortestLoop = 6;

/** True if the text is mostly one phrase said over and over: few distinct character 8-grams for its length. */
export const repeatsItself = (text: string): boolean => {
  const dense = text.replace(/\s+/g, "");
  const gram = 8;
  if (dense.length < gram * shortestLoop) return false;
  const grams = new Set<string>();
  for (let at = 0; at + gram <= dense.length; at += 1) grams.add(dense.slice(at, at + gram));
  return grams.size / (dense.length - gram + 1) < 0.3;
};

const evaluation =
  /(评分|打分|得分|满分|质量(很|较|非常)?(好|差|高|低)|建议(给|打)|符合要求|不符合要求|合格|不合格)|\b(score[sd]?|rating|rate it|high quality|poor quality|meets the (brief|standard))\b/i;

/** A description must not evaluate; words of evaluation inside quoted text of the picture are not the captioner's. */
export const evaluates = (text: string): boolean =>
  evaluation.test(text.replace(/“[^”]*”|「[^」]*」|"[^"]*"/g, ""));

/** Flags of a caption; `cut` is told by the finish reason. */
export const gistFlagsOf = (text: string, cut: boolean): readonly GistFlag[] => [
  ...(text.trim() === "" ? ["empty" as const] : []),
  ...(repeatsItself(text) ? ["repeats" as const] : []),
  ...(evaluates(text) ? ["evaluates" as const] : []),
  ...(cut ? ["cut" as const] : []),
];
