/** A token estimate that needs no tokenizer; used to hold prompts inside a judge's context. */

/** Characters of other scripts that share one token, on average over the tokenizers of open models. */
const charactersPerToken = 3.5;

/** Side of the square that is one token to models of the Qwen-VL family, the hungriest of those that are served. */
const patch = 28;

/** Tokens of a picture, or of one tile of it, by its size in pixels. */
export const pictureTokens = ({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): number => Math.ceil(width / patch) * Math.ceil(height / patch);

/**
 * Tokens of a text, rounded up: one for each CJK character, kana, hangul or full-width form, one for every
 * 3.5 other UTF-16 units. The estimate of a concatenation never exceeds the sum of the estimates of its pieces.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (isWide(text.charCodeAt(index))) wide++;
  return Math.ceil(wide + (text.length - wide) / charactersPerToken);
}

/** How many UTF-16 units of the text's start fit into `tokens`; a surrogate pair is never split. */
export function unitsWithin(text: string, tokens: number): number {
  let spent = 0;
  for (let index = 0; index < text.length; index++) {
    spent += isWide(text.charCodeAt(index)) ? 1 : 1 / charactersPerToken;
    if (spent > tokens) return isLowSurrogate(text, index) ? index - 1 : index;
  }
  return text.length;
}

/** The same from the text's end: how many of its last units fit. */
export function unitsWithinFromEnd(text: string, tokens: number): number {
  let spent = 0;
  for (let index = text.length - 1; index >= 0; index--) {
    spent += isWide(text.charCodeAt(index)) ? 1 : 1 / charactersPerToken;
    if (spent > tokens) return text.length - (isLowSurrogate(text, index + 1) ? index + 2 : index + 1);
  }
  return text.length;
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function isWide(unit: number): boolean {
  return (
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef) ||
    // Han characters beyond the basic plane and emoji: two units, about two tokens.
    (unit >= 0xd800 && unit <= 0xdfff)
  );
}
