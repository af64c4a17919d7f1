/** Every feature of a sample, by name; what each means is in feature-names.ts. Pure, so examples can be cached. */
import { toneCount, tones } from "./lexicon.ts";
import { type PictureReading, readPictures } from "./picture-features.ts";
import type { ShownSample } from "./read-prompt.ts";
import { supportFeatures } from "./support-features.ts";
import { type TextView, termList, viewText } from "./text-view.ts";

/** A sample ready for the head: numbers by name, and the views that fields look phrases up in. */
export interface FeaturedSample {
  readonly values: Readonly<Record<string, number>>;
  readonly judged: TextView;
  /** What is judged as it was written, to quote from. */
  readonly raw: string;
  /** Descriptions of the pictures, searched for phrases like the judged text itself. */
  readonly shown: string;
  /** What the sample was given; a phrase that stands there says nothing about the sample itself. */
  readonly given: string;
  readonly pictures: PictureReading;
}

/** What of a sample is judged: its output, else what the assistant says. */
export function judgedText(sample: ShownSample): string {
  const said = sample.messages.filter(({ role }) => role === "assistant").map(({ text }) => text);
  return [sample.output, ...said, sample.attached].filter((text) => text !== "").join("\n");
}

/** `raw` is what is judged: the sample's own text, or one candidate of it. */
export function featuresOf(sample: ShownSample, raw: string): FeaturedSample {
  const asked = sample.messages.filter(({ role }) => role !== "assistant").map(({ text }) => text);
  const rawQuestion = [sample.input, ...asked].filter((text) => text !== "").join("\n");
  const judged = viewText(raw);
  const question = viewText(rawQuestion);
  const reference = viewText(sample.reference);
  const pictures = readPictures(question, sample.gists, rawQuestion);
  return {
    values: {
      ...shapeFeatures(judged, question, raw),
      ...Object.fromEntries(tones.map((tone) => [tone, Math.min(3, toneCount(tone, judged.text))])),
      ...supportFeatures({ judged, question, reference }),
      ...pictures.values,
      turns: sample.messages.length,
    },
    judged,
    raw,
    shown: viewText(sample.gists.join("\n")).text,
    given: viewText(`${sample.input}\n${sample.reference}`).text,
    pictures,
  };
}

/** Form alone: how long, how repetitive, how the text is set. */
function shapeFeatures(judged: TextView, question: TextView, raw: string): Record<string, number> {
  const terms = termList(judged.text);
  const lines = raw.split("\n").filter((line) => line.trim() !== "");
  const listed = lines.filter((line) => /^\s*(?:[-*•]|\d+[.)、])/.test(line)).length;
  const wanted = askedItems(question.text);
  return {
    length: Math.log1p(judged.text.length),
    brief: judged.text.length < 12 ? 1 : 0,
    sentences: Math.log1p(judged.sentences.length),
    lengthToQuestion: Math.log1p(judged.text.length) - Math.log1p(question.text.length),
    repetition: terms.length === 0 ? 0 : 1 - judged.terms.size / terms.length,
    repeatedSentences: repeatedSentences(judged),
    listed: Math.min(10, listed),
    itemsRight: wanted === 0 ? 0 : Math.max(listed, lines.length) === wanted ? 1 : -1,
    asksBack: /[?？]\s*$/.test(raw.trim()) ? 1 : 0,
    exclamation: Math.min(3, raw.match(/[!！]/g)?.length ?? 0),
    unfinished: /[\p{L}\p{N},，、:：]$/u.test(raw.trim()) ? 1 : 0,
    otherScript: otherScript(judged.text, question.text),
    wordLength: terms.length === 0 ? 0 : judged.text.length / terms.length,
  };
}

/** "Give three tips" asks for three items. */
function askedItems(question: string): number {
  const words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const match =
    /\b(?:give|list|name|provide|write|suggest|generate|create|describe|identify)\b[^.]{0,24}?\b(one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b/.exec(
      question,
    );
  const word = match?.[1];
  if (word === undefined) return 0;
  return words.includes(word) ? words.indexOf(word) + 1 : Number(word);
}

function repeatedSentences(view: TextView): number {
  const unique = new Set(view.sentences.map(({ text }) => text));
  return view.sentences.length - unique.size;
}

/** 1 where the answer is not written in the script of the question. */
function otherScript(answer: string, question: string): number {
  const han = (text: string): number =>
    (text.match(/\p{Script=Han}/gu)?.length ?? 0) / Math.max(1, text.length);
  return answer.length > 8 && Math.abs(han(answer) - han(question)) > 0.4 ? 1 : 0;
}
