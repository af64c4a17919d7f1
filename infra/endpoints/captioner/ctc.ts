/** Reads the recogniser's per-step character probabilities (greedy CTC); pure. */

export interface CtcResult {
  readonly text: string;
  /** Mean probability of the characters read, 0 when there are none. */
  readonly confidence: number;
}

/**
 * `probabilities` holds `steps` rows of `alphabet.length` classes; class 0 is CTC's blank. Repeats of a class without a
 * blank between them are one character.
 */
export function decodeCtc(
  probabilities: Float32Array,
  steps: number,
  alphabet: readonly string[],
): CtcResult {
  const classes = alphabet.length;
  let text = "";
  let sum = 0;
  let count = 0;
  let previous = 0;
  for (let step = 0; step < steps; step++) {
    let best = 0;
    let bestProbability = 0;
    for (let c = 0; c < classes; c++) {
      const p = probabilities[step * classes + c] ?? 0;
      if (p > bestProbability) {
        best = c;
        bestProbability = p;
      }
    }
    if (best !== 0 && best !== previous) {
      text += alphabet[best];
      sum += bestProbability;
      count++;
    }
    previous = best;
  }
  return { text, confidence: count === 0 ? 0 : sum / count };
}
