/** An answer before it is text, with what is true of it: the bench's mutations change both at once. */
import type { FieldValue, Sample } from "@touchstone/core/schema/sample";
import { type Template, templateSchema } from "@touchstone/core/schema/template";
import type { Dice } from "../../../events/generate-demo/random.ts";

const labels = (codes: readonly string[]) => codes.map((code) => ({ code, name: `标签 ${code}` }));
export const scores = Array.from({ length: 11 }, (_, index) => `${index}`);
export const grades = ["G", "F", "B"];
export const tags = ["P", "Q", "R", "S"];

export const mutantTemplate: Template = templateSchema.parse({
  task: "mutants",
  version: 1,
  family: "bench",
  title: { zh: "变异答案", en: "Mutated answers" },
  standard: "score：切题程度。grade：总评。tags：毛病。best：更好的候选。",
  fields: [
    { id: "score", kind: "ordinal", title: "评分", labels: labels(scores) },
    { id: "grade", kind: "label", title: "总评", labels: labels(grades) },
    { id: "tags", kind: "labels", title: "毛病", labels: labels(tags) },
    { id: "best", kind: "list", title: "更好的", of: "candidates", maxItems: 2 },
    { id: "note", kind: "text", title: "备注", required: false, maxLength: 40 },
  ],
  decision: { auditRate: 0 },
});

export const mutantSample: Sample = {
  id: "mutant",
  input: "静夜思的第一句是什么？",
  candidates: [
    { id: "m-1", output: "床前明月光。" },
    { id: "m-2", output: "举头望明月。" },
    { id: "m-3", output: "低头思故乡。" },
  ],
};

export type Json =
  | { readonly kind: "string"; readonly text: string }
  /** Written as it is: a number, a word, or something that no JSON allows. */
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] };

/** What may come of a field: its value and nothing less, its value or none, or none. Worst last. */
export const fates = ["stays", "may-go", "gone"] as const;
export type Fate = (typeof fates)[number];

export interface Draft {
  readonly explanation: string;
  readonly evidence: readonly string[];
  readonly fields: readonly (readonly [id: string, value: Json])[];
  readonly truth: ReadonlyMap<string, FieldValue>;
  readonly fate: ReadonlyMap<string, Fate>;
}

export const worse = (left: Fate, right: Fate): Fate =>
  fates.indexOf(left) > fates.indexOf(right) ? left : right;

/** The draft with another fate for one field, or for all; a fate never gets better. */
export const doomed = (draft: Draft, fate: Fate, only?: string): Draft => ({
  ...draft,
  fate: new Map(
    [...draft.fate].map(([id, now]) => [id, only === undefined || only === id ? worse(now, fate) : now]),
  ),
});

export const withField = (draft: Draft, id: string, value: Json): Draft => ({
  ...draft,
  fields: draft.fields.map((field) => (field[0] === id ? [id, value] : field)),
});

const reasons = ["第一句对上了题", "It answers the question", "三个候选里第一个最切题", "Nothing else fits"];
const letters = ["A", "B", "C"];
/** Free text has no truth that code could lose; it is there to be in the way. */
const notes = ["可以", "short", "无"];

const string = (text: string): Json => ({ kind: "string", text });

/** A whole and right answer. */
export const drawDraft = (dice: Dice): Draft => {
  const score = dice.pick(scores);
  const grade = dice.pick(grades);
  const chosen = tags.filter(() => dice.below(2) === 0);
  const best = letters.slice(0, 1 + dice.below(2));
  const truth = new Map<string, FieldValue>([
    ["score", score],
    ["grade", grade],
    ["tags", chosen],
    ["best", best.map((letter) => `m-${letters.indexOf(letter) + 1}`)],
  ]);
  return {
    explanation: dice.pick(reasons),
    evidence: ["床前明月光"],
    fields: [
      ["score", string(score)],
      ["grade", string(grade)],
      ["tags", { kind: "list", items: chosen }],
      ["best", { kind: "list", items: best }],
      ["note", string(dice.pick(notes))],
    ],
    truth,
    fate: new Map([...truth.keys()].map((id) => [id, "stays"])),
  };
};
