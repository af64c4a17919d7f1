/** Cuts text into terms for recall: words of alphabetic scripts, overlapping pairs of CJK characters. */

const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu;
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Terms in order, lower case, in NFKC. A CJK run of one character is a term by itself. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(runs)) {
    if (!cjk.test(run)) {
      terms.push(run);
      continue;
    }
    const characters = [...run];
    if (characters.length === 1) terms.push(run);
    for (let index = 0; index + 1 < characters.length; index++) {
      terms.push(`${characters[index]}${characters[index + 1]}`);
    }
  }
  return terms;
}
