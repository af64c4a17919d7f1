/** Makes text from outside safe to print: a sample must not move the cursor, recolour or reorder what a person reads. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Line feeds stay; tabs become two blanks, `\r\n` one line feed; other controls become a visible mark. */
export const printable = (text: string): string =>
  text.replaceAll("\r\n", "\n").replaceAll("\t", "  ").replace(control, "\ufffd");

/** The same on one line. */
export const printableLine = (text: string): string => printable(text).replace(/\s*\n\s*/g, " ⏎ ");

/** Every line of the text behind so many blanks. */
export const indented = (text: string, blanks: number): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : `${" ".repeat(blanks)}${line}`))
    .join("\n");
