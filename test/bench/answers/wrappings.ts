/** Mutations of the text around the object: fences, prose, thoughts, control tokens, other objects, cuts. */
import type { Dice } from "../../../events/generate-demo/random.ts";
import { type Draft, doomed } from "./draft.ts";
import type { Shape } from "./shape-changes.ts";

/** The whole text, and where in it the answer's object stands. */
export interface Wrapped {
  readonly draft: Draft;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Wrapping = (shape: Shape, dice: Dice) => Wrapped;

const around = ({ draft, text }: Shape, before: string, after: string): Wrapped => ({
  draft,
  text: before + text + after,
  start: before.length,
  end: before.length + text.length,
});
/** Around it stands something that may as well be meant. */
const unclear = (shape: Shape, before: string, after: string): Wrapped => {
  const wrapped = around(shape, before, after);
  return { ...wrapped, draft: doomed(wrapped.draft, "gone") };
};

const other =
  '{"explanation":"示例","evidence":[],"fields":{"score":"1","grade":"B","tags":[],"best":["C"]}}';
const score = '{"fields":{"score":"3"}}';

export const unwrapped: Wrapping = (shape) => around(shape, "", "");

export const wrappings: Readonly<Record<string, Wrapping>> = {
  "a fence": (shape) => around(shape, "```json\n", "\n```"),
  "a bare fence": (shape) => around(shape, "```\n", "\n```\n"),
  "prose and a fence": (shape) =>
    around(shape, "Here is my verdict:\n```json\n", "\n```\nI hope this helps."),
  "Chinese prose": (shape) => around(shape, "评审结果如下：\n", "\n以上。得分：３分只是举例。"),
  "prose with braces": (shape) => around(shape, "As \\frac{1}{2} of {it} holds: ", " {end}"),
  "a thought with another verdict": (shape) =>
    around(shape, `<think>perhaps ${score}, perhaps not</think>\n`, ""),
  "a thought whose start is in the prompt": (shape) => around(shape, `so ${score}? no.</think>\n\n`, ""),
  "control tokens": (shape, dice) =>
    around(
      shape,
      "",
      dice.pick(["<|im_end|>", "</s>", "<|im_end|>\n<|endoftext|>", "<|eot_id|>", "<end_of_turn>"]),
    ),
  "white space": (shape) => around(shape, "\n\n  ", "\n \n"),
  "a byte order mark": (shape) => around(shape, "\ufeff", ""),
  "the same object twice": (shape) => around(shape, "```json\n", `\n\`\`\`\nAgain: ${shape.text}`),
  "another object after": (shape) => unclear(shape, "", `\n${score}`),
  "another object before": (shape) => unclear(shape, `${other}\n`, ""),
  "an example in a fence": (shape) =>
    unclear(shape, `For example:\n\`\`\`json\n${other}\n\`\`\`\nNow:\n`, ""),
  "an open object after": (shape) => unclear(shape, "", `\n{"fields":{"score":"3`),
  "a broken object after": (shape) => unclear(shape, "", `\n{"fields":{"score":NaN}}`),
  "a python object after": (shape) => unclear(shape, "", `\n{'fields': {'score': '3'}}`),
  "a thought without end": (shape) => unclear(shape, "<think>\n", ""),
};

/** A cut before the object's end; what stands before the object is no answer of its own. */
export const truncated = (wrapped: Wrapped, dice: Dice): Wrapped => {
  const { text, start, end } = wrapped;
  // From behind the first quote on: an open brace alone is prose.
  const from = Math.max(start, text.slice(start).search(/["“']/) + start) + 1;
  const cut = from + dice.below(Math.max(1, end - from));
  return { ...wrapped, draft: doomed(wrapped.draft, "gone"), text: text.slice(0, cut), end: cut };
};

/** One structural mark of the object is missing, or stands twice: its values come out as they are, or not at all. */
export const dented = (wrapped: Wrapped, dice: Dice): Wrapped => {
  const { text, start, end } = wrapped;
  const places = [...text.slice(start, end).matchAll(/[{}[\]:,"｛｝［］：，“”]/gu)].map(
    ({ index }) => start + index,
  );
  const at = places[dice.below(Math.max(1, places.length))] ?? start;
  const mark = text[at] ?? "";
  const by = dice.below(2) === 0 ? "" : mark + mark;
  const changed = text.slice(0, at) + by + text.slice(at + 1);
  return { ...wrapped, draft: doomed(wrapped.draft, "may-go"), text: changed, end: end + by.length - 1 };
};
