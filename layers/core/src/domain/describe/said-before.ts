/** Leaves out of a gist the lines that another picture's gist has already said. Called by planIntegration; pure. */
import { comparable } from "../judge/evidence.ts";
import { estimateTokens } from "../judge/token-estimate.ts";

export interface Shortened {
  readonly text: string;
  readonly leftOut: { readonly lines: number; readonly saidOf: readonly number[] } | null;
  /** Tokens saved, the note about it counted. */
  readonly spared: number;
}

/** A shorter line is a page number or a yes, and costs less than the note about it. */
const shortestLine = 6;
/** About what the note costs that names the lines left out. */
const noteTokens = 16;

/** The whole text where less is saved than the note about it would cost. */
export const withoutSaid = (
  text: string,
  earlier: readonly { readonly number: number; readonly text: string }[],
): Shortened => {
  const whole: Shortened = { text, leftOut: null, spared: 0 };
  if (earlier.length === 0) return whole;
  const saidBy = new Map<string, number>();
  for (const one of earlier)
    for (const line of one.text.split("\n")) {
      const key = comparable(line);
      if (key.length >= shortestLine && !saidBy.has(key)) saidBy.set(key, one.number);
    }
  const lines = text.split("\n");
  const repeated = lines.flatMap((line) => saidBy.get(comparable(line)) ?? []);
  const kept = lines.filter((line) => !saidBy.has(comparable(line))).join("\n");
  const spared = estimateTokens(text) - estimateTokens(kept) - noteTokens;
  if (spared <= 0) return whole;
  const saidOf = [...new Set(repeated)].sort((left, right) => left - right);
  return { text: kept, leftOut: { lines: repeated.length, saidOf }, spared };
};
