/** The remembered parse of an expression is what parsing it would have given, with the caller's own names and values. */
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { type ExpressionParser, rememberParses } from "../../infra/local/dynamodb/remembered-parses.ts";

const require = createRequire(import.meta.url);

/** dynalite's own parser, and another instance of it that remembers; both count the parses that really happen. */
function pair(name: "conditionParser" | "updateParser") {
  const original: ExpressionParser = require(`dynalite/db/${name}`);
  const own = original.parse;
  let parses = 0;
  const counting: ExpressionParser = {
    parse(text, options) {
      parses += 1;
      return own(text, options);
    },
  };
  rememberParses(counting);
  return { plain: { parse: own }, remembering: counting, parses: () => parses };
}

const context = (names: Record<string, string>, values: Record<string, object>) => ({
  attrNames: names,
  attrVals: values,
  unusedAttrNames: Object.fromEntries(Object.keys(names).map((name): [string, true] => [name, true])),
  unusedAttrVals: Object.fromEntries(Object.keys(values).map((name): [string, true] => [name, true])),
  isReserved: () => false,
  compare: (_: string, left: { N?: string }, right: { N?: string }) => Number(left.N) > Number(right.N),
});

const lease = "attribute_not_exists(#r) AND (attribute_not_exists(#u) OR #u <= :now)";
const names = { "#r": "result", "#u": "leaseUntil" };

describe.each([
  ["conditionParser", lease, names, [{ ":now": { N: "1" } }, { ":now": { N: "2" } }]],
  [
    "conditionParser",
    "begins_with(#r, :a) AND #u.b[3] <> :b",
    names,
    [
      { ":a": { S: "x" }, ":b": { L: [{ S: "1" }] } },
      { ":a": { S: "y" }, ":b": { L: [] } },
    ],
  ],
  [
    "updateParser",
    "SET #r = :v, #u = if_not_exists(#u, :z) + :one REMOVE other",
    names,
    [
      { ":v": { S: "a" }, ":z": { N: "0" }, ":one": { N: "1" } },
      { ":v": { M: { a: { S: "b" } } }, ":z": { N: "5" }, ":one": { N: "1" } },
      { ":v": { S: "c" }, ":z": { N: "7" }, ":one": { N: "2" } },
    ],
  ],
] as const)("%s: %s", (name, text, attributeNames, givenValues) => {
  test("gives the same tree, for every value", () => {
    const { plain, remembering } = pair(name);
    for (const values of [...givenValues, ...givenValues]) {
      const [expected, actual] = [context(attributeNames, values), context(attributeNames, values)];
      expect(remembering.parse(text, { context: actual })).toEqual(plain.parse(text, { context: expected }));
      expect(actual.unusedAttrNames).toEqual(expected.unusedAttrNames);
      expect(actual.unusedAttrVals).toEqual(expected.unusedAttrVals);
    }
  });

  test("parses once for each combination of types, and keeps nothing that a reader changed", () => {
    const { remembering, parses } = pair(name);
    const [values] = givenValues;
    const first: unknown = remembering.parse(text, { context: context(attributeNames, values) });
    Object.assign(Object(first), { expression: "spoilt", sections: "spoilt" });
    remembering.parse(text, { context: context(attributeNames, values) });
    expect(parses()).toBe(1);
    expect(remembering.parse(text, { context: context(attributeNames, values) })).not.toMatchObject({
      expression: "spoilt",
    });
  });
});

test("the same text with other names is another expression", () => {
  const { plain, remembering } = pair("conditionParser");
  const values = { ":now": { N: "1" } };
  remembering.parse(lease, { context: context(names, values) });
  const other = { "#r": "verdict", "#u": "until" };
  expect(remembering.parse(lease, { context: context(other, values) })).toEqual(
    plain.parse(lease, { context: context(other, values) }),
  );
});

test("an expression that is wrong is told anew, with its own value", () => {
  const { remembering, parses } = pair("conditionParser");
  const text = "#r BETWEEN :low AND :high";
  const between = (low: string) => {
    const given = context({ "#r": "result" }, { ":low": { N: low }, ":high": { N: "5" } });
    return remembering.parse(text, { context: given });
  };
  expect(between("9")).toMatch(/N:9/);
  expect(between("8")).toMatch(/N:8/);
  expect(between("1")).toMatchObject({ expression: { type: "between" } });
  expect(parses()).toBe(3);
});
