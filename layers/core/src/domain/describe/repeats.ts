/** Tells a description that goes round in circles. Called by check-gist.ts; pure. */
import { endsInLoop } from "../judge/loops.ts";

const gram = 8;
/** Below this many different characters a text has no room to repeat itself in. */
const shortestText = gram * 6;
const fewestDistinct = 0.3;
/** A line that stands this often and makes up this share of a text is a loop that counts its turns. */
const lineTurns = 5;
const lineShare = 0.5;
const shortestLine = 4;

/** True if a text, or its end, is mostly one phrase said over and over; numbering its turns does not hide it. */
export const repeatsItself = (text: string): boolean => {
  const lines = text.split("\n").map(withoutNumber);
  const dense = lines.join("").replace(/\s+/g, "");
  if (dense.length < shortestText) return false;
  return distinctShare(dense) < fewestDistinct || endsInLoop(dense) || hasLoopedLine(lines, dense.length);
};

/** List numbers and bullets only: figures inside a line are content. */
const withoutNumber = (line: string): string =>
  line.replace(/^\s*(?:>\s*)?(?:[-*•]|[(（]?\d{1,3}[.、)）:：]|第?[一二三四五六七八九十\d]+[、.步])?\s*/, "");

/** Share of character 8-grams that are different ones. */
export const distinctShare = (text: string): number => {
  const grams = new Set<string>();
  for (let at = 0; at + gram <= text.length; at += 1) grams.add(text.slice(at, at + gram));
  return text.length < gram ? 1 : grams.size / (text.length - gram + 1);
};

const hasLoopedLine = (lines: readonly string[], length: number): boolean => {
  const alike = Map.groupBy(
    lines.map((line) => line.replace(/\s+/g, "")).filter((line) => line.length >= shortestLine),
    (line) => line,
  );
  return [...alike.values()].some(
    (same) => same.length >= lineTurns && same.length * (same[0]?.length ?? 0) >= lineShare * length,
  );
};
