/** Tells a text that goes round in circles: a model that was caught in a loop has no verdict. Called by `readAnswer`. */

/** A loop shorter than this, in UTF-16 units, may well be meant. */
const shortestLoop = 48;
const fewestTurns = 4;
const longestPhrase = 400;

/** Whether the end of a text is one phrase said at least four times over; white space does not count. */
export function endsInLoop(text: string): boolean {
  const dense = text.slice(-2 * longestPhrase * fewestTurns).replace(/\s+/g, "");
  for (let phrase = 1; phrase <= longestPhrase; phrase++) {
    const length = Math.max(shortestLoop, phrase * fewestTurns);
    if (length > dense.length) return false;
    if (isPeriodic(dense, dense.length - length, phrase)) return true;
  }
  return false;
}

function isPeriodic(text: string, from: number, period: number): boolean {
  for (let at = from + period; at < text.length; at++) if (text[at] !== text[at - period]) return false;
  return true;
}
