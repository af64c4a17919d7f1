/** Mutations of one value: other spellings of the same code, and everything that is no code at all. */
import type { Dice } from "../../../events/generate-demo/random.ts";
import { type Draft, doomed, grades, type Json, scores, tags, withField } from "./draft.ts";

export type Change = (draft: Draft, dice: Dice) => Draft;

const literal = (text: string): Json => ({ kind: "literal", text });
const string = (text: string): Json => ({ kind: "string", text });
const list = (...items: readonly string[]): Json => ({ kind: "list", items });

const gone =
  (id: string, value: (dice: Dice, draft: Draft) => Json): Change =>
  (draft, dice) =>
    doomed(withField(draft, id, value(dice, draft)), "gone", id);
/** What is no JSON takes the whole answer with it. */
const fatal =
  (id: string, text: string): Change =>
  (draft) =>
    doomed(withField(draft, id, literal(text)), "gone");

const truthOf = (draft: Draft, id: string): string => String(draft.truth.get(id));
const wide = (text: string): string =>
  text.replace(/[0-9A-Za-z]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0));
const escaped = (text: string): string =>
  `"${[...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;

const oneCode = ["score", "grade"] as const;

/** By name, so that a mutant can be told again. */
export const valueChanges: Readonly<Record<string, Change>> = {
  "bare number": (draft) => withField(draft, "score", literal(truthOf(draft, "score"))),
  "full-width code": (draft, dice) => {
    const id = dice.pick(oneCode);
    return withField(draft, id, string(wide(truthOf(draft, id))));
  },
  "escaped code": (draft, dice) => {
    const id = dice.pick(oneCode);
    return withField(draft, id, literal(escaped(truthOf(draft, id))));
  },
  "out of range": gone("score", (dice) => literal(dice.pick(["85", "-1", "11", "9.2e+124", "100"]))),
  "quoted out of range": gone("score", (dice) => string(dice.pick(["85", "-1", "11", "100", "10.0000001"]))),
  "between the steps": gone("score", (dice) =>
    literal(dice.pick(["3.5", "10.0000001", "7.0", "8e0", "0.9"])),
  ),
  "words for a number": gone("score", (dice) =>
    string(dice.pick(["八", "eight", "8分", "8/10", "得分：８分"])),
  ),
  "two codes": gone("grade", (dice) => string(`${dice.pick(grades)}${dice.pick(["|", " or ", "/", ","])}F`)),
  "a label's name": gone("grade", (dice) => string(`标签 ${dice.pick(grades)}`)),
  "a code in another case": gone("grade", (dice) => string(dice.pick(grades).toLowerCase())),
  "another field's code": gone("grade", (dice) => string(dice.pick(scores))),
  "not a number": fatal("score", "NaN"),
  infinity: fatal("score", "-Infinity"),
  "a leading zero": fatal("score", "08"),
  "a plus sign": fatal("score", "+8"),
  "no quotes": fatal("grade", "G"),
  "python's none": fatal("grade", "None"),
  null: gone("grade", () => literal("null")),
  "an empty text": gone("score", (dice) => string(dice.pick(["", " "]))),
  "a list for one code": gone("score", (_, draft) => list(truthOf(draft, "score"))),
  "an object for a code": gone("score", (_, draft) => literal(`{"value":"${truthOf(draft, "score")}"}`)),
  "a truth value": gone("grade", () => literal("true")),
  "a broken character": gone("grade", () => string("\ufffd")),
  "half a character": gone("grade", () => literal('"\\ud83d"')),
  "a hidden character": gone("score", (_, draft) => string(`${truthOf(draft, "score")}\u200b`)),
  "a control token in the code": gone("grade", (dice) => string(`${dice.pick(grades)}<|im_end|>`)),
  "one code for a list": gone("tags", (dice) => string(dice.pick(tags))),
  "an unknown code in the list": gone("tags", (dice) => list(dice.pick(tags), "X")),
  "a code twice": gone("tags", (dice) => {
    const tag = dice.pick(tags);
    return list(tag, tag);
  }),
  "codes in one text": gone("tags", () => string("P,Q")),
  "a candidate that is not there": gone("best", () => list("D")),
  "the hidden id of a candidate": gone("best", (dice) => list(dice.pick(["m-1", "m-2"]))),
  "too many candidates": gone("best", () => list("A", "B", "C")),
  "swapped fields": (draft) => {
    const [score, grade] = [truthOf(draft, "score"), truthOf(draft, "grade")];
    const swapped = withField(withField(draft, "score", string(grade)), "grade", string(score));
    return doomed(doomed(swapped, "gone", "score"), "gone", "grade");
  },
  "a note that is too long": (draft) => withField(draft, "note", string("很".repeat(41))),
};
