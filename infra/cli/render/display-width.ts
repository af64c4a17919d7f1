/** How many columns a text takes in a terminal: CJK and emoji take two, marks none. Tables align by it. */

const segmenter = new Intl.Segmenter();
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with the escape character
const ansi = /\u001b\[[0-9;]*m/g;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]*$/u;
const emoji = /\p{Emoji_Presentation}|\ufe0f/u;

/** East Asian wide and full-width blocks, as inclusive ranges of code points. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** Columns of one line; colour codes count nothing. */
export const displayWidth = (text: string): number => {
  const plain = text.replace(ansi, "");
  let width = 0;
  for (const { segment } of segmenter.segment(plain)) width += clusterWidth(segment);
  return width;
};

/** The text cut to so many columns, with an ellipsis where something was cut. Plain text only. */
export const cutToWidth = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += clusterWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

const clusterWidth = (cluster: string): number => {
  if (invisible.test(cluster)) return 0;
  if (emoji.test(cluster)) return 2;
  const code = cluster.codePointAt(0) ?? 0;
  return wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
};
