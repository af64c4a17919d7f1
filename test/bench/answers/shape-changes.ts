/** Mutations of the answer's object: order, spacing, strangers, and everything that makes it no object of ours. */
import type { Dice } from "../../../events/generate-demo/random.ts";
import { type Draft, doomed, type Json } from "./draft.ts";

/** An object as text; `draft` says by then what is left of the truth. */
export interface Shape {
  readonly draft: Draft;
  readonly text: string;
}

interface Style {
  readonly open: string;
  readonly close: string;
  readonly openList: string;
  readonly closeList: string;
  readonly colon: string;
  readonly comma: string;
  readonly quote: (text: string) => string;
}

const plain: Style = {
  ...{ open: "{", close: "}", openList: "[", closeList: "]", colon: ":", comma: "," },
  quote: (text) => JSON.stringify(text),
};
const spaced: Style = { ...plain, open: "{\n  ", close: "\n}", colon: ": ", comma: ",\n  " };
const wide: Style = {
  ...{ open: "｛", close: "｝", openList: "［", closeList: "］", colon: "：", comma: "，" },
  quote: (text) => `“${text}”`,
};
const wideMarks: Style = { ...plain, colon: "：", comma: "，" };

const valueText = (value: Json, style: Style): string => {
  switch (value.kind) {
    case "string":
      return style.quote(value.text);
    case "literal":
      return value.text;
    case "list":
      return `${style.openList}${value.items.map(style.quote).join(style.comma)}${style.closeList}`;
    default:
      return value satisfies never;
  }
};

type Member = readonly [key: string, text: string];

const objectText = (members: readonly Member[], style: Style): string =>
  `${style.open}${members.map(([key, text]) => `${style.quote(key)}${style.colon}${text}`).join(style.comma)}${style.close}`;

const fieldMembers = ({ fields }: Draft, style: Style): Member[] =>
  fields.map(([id, value]) => [id, valueText(value, style)]);

const members = (draft: Draft, style: Style): Member[] => [
  ["explanation", style.quote(draft.explanation)],
  ["evidence", valueText({ kind: "list", items: draft.evidence }, style)],
  ["fields", objectText(fieldMembers(draft, style), style)],
];

const written = (draft: Draft, style = plain): Shape => ({
  draft,
  text: objectText(members(draft, style), style),
});
/** Another text for the same draft, which no longer has a verdict. */
const fatal = (draft: Draft, text: string): Shape => ({ draft: doomed(draft, "gone"), text });

type ShapeChange = (draft: Draft, dice: Dice) => Shape;

export const writePlain: ShapeChange = (draft) => written(draft);

/** The first occurrence, and it must be there. */
const replaced = (text: string, what: string, by: string): string => {
  if (!text.includes(what)) throw new Error(`the answer has no ${what}`);
  return text.replace(what, () => by);
};

export const shapeChanges: Readonly<Record<string, ShapeChange>> = {
  "spread over lines": (draft) => written(draft, spaced),
  "full-width marks and quotes": (draft) => written(draft, wide),
  "full-width colons and commas": (draft) => written(draft, wideMarks),
  "keys in another order": (draft, dice) => ({
    draft,
    text: objectText(dice.shuffle(members(draft, plain)), plain),
  }),
  "fields in another order": (draft, dice) => written({ ...draft, fields: dice.shuffle(draft.fields) }),
  "unknown keys": (draft) => ({
    draft,
    text: objectText([["confidence", "0.9"], ...members(draft, plain), ["usage", "null"]], plain),
  }),
  "unknown fields": (draft) =>
    written({ ...draft, fields: [["total", { kind: "literal", text: "99" }], ...draft.fields] }),
  "a verdict inside the explanation": (draft) =>
    written({ ...draft, explanation: 'not {"fields":{"score":"3"}} but as below' }),
  "quotes and braces inside the explanation": (draft) =>
    written({ ...draft, explanation: '他说“：｛”，然后写 \\"}\\" 和 {{' }),
  "line separators inside the explanation": (draft) =>
    written({ ...draft, explanation: "a\u2028b\u2029c\td" }),
  "half a character inside the explanation": (draft) => {
    const { text } = written({ ...draft, explanation: "HALF" });
    return { draft, text: replaced(text, "HALF", "\\ud800 \ufffd") };
  },
  "no evidence": (draft) => ({
    draft,
    text: objectText(
      members(draft, plain).filter(([key]) => key !== "evidence"),
      plain,
    ),
  }),
  "evidence as a text": (draft) => ({
    draft,
    text: objectText(
      members(draft, plain).map(([key, text]) => [key, key === "evidence" ? '"床前"' : text]),
      plain,
    ),
  }),
  "a field twice": (draft, dice) => {
    const other: Json = { kind: "string", text: dice.pick(["0", "10"]) };
    return fatal(draft, written({ ...draft, fields: [...draft.fields, ["score", other]] }).text);
  },
  "fields twice": (draft) =>
    fatal(draft, objectText([...members(draft, plain), ["fields", '{"score":"0"}']], plain)),
  "no fields": (draft) => fatal(draft, objectText(members(draft, plain).slice(0, 2), plain)),
  "fields as a list": (draft) =>
    fatal(draft, replaced(written(draft).text, `"fields":{`, `"fields":[{`).replace(/\}\}$/, "}]}")),
  "fields flattened": (draft) =>
    fatal(draft, objectText([...members(draft, plain).slice(0, 2), ...fieldMembers(draft, plain)], plain)),
  "an answer inside an answer": (draft) => fatal(draft, `{"answer":${written(draft).text}}`),
  "an answer as a text": (draft) => fatal(draft, JSON.stringify(written(draft).text)),
  "a trailing comma": (draft) => fatal(draft, written(draft).text.replace(/\}\}$/, ",}}")),
  "a comment": (draft) => fatal(draft, replaced(written(draft).text, `"fields":`, `/* all */"fields":`)),
  "single quotes": (draft) => fatal(draft, written(draft).text.replaceAll('"', "'")),
  "keys without quotes": (draft) => fatal(draft, written(draft).text.replace(/"(\w+)":/g, "$1:")),
  "a raw line feed in a text": (draft) =>
    fatal(draft, replaced(written({ ...draft, explanation: "HERE" }).text, "HERE", "a\nb")),
  "a rationale in circles": (draft) => {
    const sentence = "第一句对上了题，所以给这个分。";
    return fatal(draft, written({ ...draft, explanation: sentence.repeat(12) }).text);
  },
};
