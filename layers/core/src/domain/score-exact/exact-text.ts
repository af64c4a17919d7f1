/** Compares two short texts through normalisation layers, from none to loose. Called by `scoreExact`. */
import { answerTags, firmAnnouncements, statedAnswers } from "./stated-answers.ts";

/** Each layer is applied on top of the ones before; texts that are equal at any layer are the same answer. */
const layers: readonly ((text: string) => string)[] = [
  (text) => text.normalize("NFC").trim(),
  (text) => text.normalize("NFKC").toLowerCase(),
  (text) => text.replace(/\s+/g, " "),
  // Spaces beside CJK characters carry no meaning.
  (text) => text.replace(/(?<=[\p{Script=Han}\p{P}]) | (?=[\p{Script=Han}\p{P}])/gu, ""),
  (text) => text.replace(/^[\p{P}\p{S}\s]+|[\p{P}\s]+$/gu, ""),
];

export type TextVerdict = "same" | "different" | "no-answer" | "several-answers" | "no-reference";

function equal(left: string, right: string): boolean {
  let [one, other] = [left, right];
  for (const layer of layers) {
    [one, other] = [layer(one), layer(other)];
    if (one === "" || other === "") return one === other && left.trim() === right.trim();
    if (one === other) return true;
  }
  return false;
}

/** The whole output is compared, or what it announces as its answer. */
export function compareTexts(output: string, reference: string): TextVerdict {
  if (reference.trim() === "") return "no-reference";
  if (output.trim() === "") return "no-answer";
  if (equal(output, reference)) return "same";
  const stated = statedAnswers(
    output,
    [answerTags, firmAnnouncements],
    (rest) => /^[^\n]+/.exec(rest)?.[0].trim() || null,
  );
  const [first] = stated;
  if (first === undefined) return "different";
  if (stated.some((one) => !equal(one, first))) return "several-answers";
  return equal(first, reference) ? "same" : "different";
}
