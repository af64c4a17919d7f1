/** Estimates tokens as language models count them; the captioner reports them and keeps to `max_tokens`; pure. */

const charactersPerToken = 4;
/** Vision models of the Qwen family take one token per 28 × 28 pixels. */
const patch = 28;

function cost(character: string): number {
  return /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/.test(character) ? 1 : 1 / charactersPerToken;
}

/** One token per Chinese character, one per four other characters. */
export function countTokens(text: string): number {
  let sum = 0;
  for (const character of text) sum += cost(character);
  return Math.ceil(sum);
}

export function countImageTokens(width: number, height: number): number {
  return Math.ceil(width / patch) * Math.ceil(height / patch);
}

/** The longest start of the text that costs at most `max` tokens. */
export function cutToTokens(text: string, max: number): { readonly text: string; readonly cut: boolean } {
  let sum = 0;
  let end = 0;
  for (const character of text) {
    sum += cost(character);
    if (sum > max) return { text: text.slice(0, end), cut: true };
    end += character.length;
  }
  return { text, cut: false };
}
