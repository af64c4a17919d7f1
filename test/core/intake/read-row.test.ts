/** Rows: a good line is a sample, a bad one says where and why, and repeats nothing of what it says. */
import { csvColumnFault, rowFromCsv } from "@touchstone/core/domain/intake/csv-row";
import { type Row, rowFromJson } from "@touchstone/core/domain/intake/read-row";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const fault = (row: Row) =>
  row.kind === "bad" ? [row.sampleId, row.fault.field, row.fault.message] : row.sample;

describe("rowFromJson", () => {
  test.each([
    ["not JSON", "hello", ["line-7", "", "not JSON: an unexpected character"]],
    [
      "cut off",
      '{"id":"a","output":"geheim',
      ["line-7", "", "not JSON: unterminated string at character 27"],
    ],
    [
      "empty braces end",
      '{"id":"a"',
      ["line-7", "", "not JSON: expected ',' or '}' after property value at character 10"],
    ],
    [
      "NaN from Python (case 20)",
      '{"id":"s-7","meta":{"x":NaN}}',
      ["line-7", "", "not JSON: NaN and Infinity are not JSON; write null"],
    ],
    [
      "-Infinity",
      '{"id":"s-7","meta":{"x": -Infinity}}',
      ["line-7", "", "not JSON: NaN and Infinity are not JSON; write null"],
    ],
    [
      "two objects",
      '{"id":"a"}{"id":"b"}',
      ["line-7", "", "not JSON: unexpected non-whitespace character at character 11"],
    ],
    ["an array", '[{"id":"a"}]', ["line-7", "", "a line must be one JSON object"]],
    ["null", "null", ["line-7", "", "a line must be one JSON object"]],
    ["no id", '{"output":"x"}', ["line-7", "id", "Invalid input: expected string, received undefined"]],
    [
      "a number as id",
      '{"id":42,"output":"x"}',
      ["line-7", "id", "Invalid input: expected string, received number"],
    ],
    ["a blank id", '{"id":" ","output":"x"}', ["line-7", "id", "id must not be blank"]],
    [
      "nothing to judge",
      '{"id":"a","input":"q"}',
      ["a", "output", "a sample needs what is to be judged: output, messages or candidates"],
    ],
    ["a boolean answer (case 21)", '{"id":"a","output":true}', ["a", "output", "must be string or array"]],
    ["a null answer", '{"id":"a","output":null}', ["a", "output", "must be string or array"]],
    [
      "a picture without a reference",
      '{"id":"a","output":[{"type":"image"}]}',
      ["a", "output.0.ref", "Invalid input: expected string, received undefined"],
    ],
    [
      "a part of an unknown type",
      '{"id":"a","output":[{"type":"audio","ref":"x"}]}',
      ["a", "output.0.type", "this is not one of the allowed values"],
    ],
    ["no parts", '{"id":"a","output":[]}', ["a", "output", "Too small: expected array to have >=1 items"]],
    [
      "a part with too much",
      '{"id":"a","messages":[{"role":"user","content":[{"type":"text","text":"","x":1}]}]}',
      ["a", "messages.0.content.0.x", 'unknown field "x"; put extra data under "meta"'],
    ],
    [
      "a role nobody has",
      '{"id":"a","messages":[{"role":"bot","content":""}]}',
      ["a", "messages.0.role", 'Invalid option: expected one of "system"|"user"|"assistant"|"tool"'],
    ],
    [
      "one candidate",
      '{"id":"a","candidates":[{"id":"x","output":"y"}]}',
      ["a", "candidates", "Too small: expected array to have >=2 items"],
    ],
    [
      "an object in meta",
      '{"id":"a","output":"","meta":{"k":{"z":1}}}',
      ["a", "meta.k", "must be string or number or boolean or null"],
    ],
    [
      "a boolean label",
      '{"id":"a","output":"","labels":{"k":true}}',
      ["a", "labels.k", "must be string or number or array"],
    ],
    [
      "a task that is no name",
      '{"id":"a","output":"","task":"A b"}',
      ["a", "task", "a task name has 1 to 64 of a-z, 0-9 and -"],
    ],
    [
      "unknown fields",
      '{"id":"a","output":"","foo":1,"bar":2}',
      ["a", "foo", 'unknown field "foo", "bar"; put extra data under "meta"'],
    ],
  ])("%s", (_, text, expected) => {
    expect(fault(rowFromJson(text, 7, 9))).toEqual(expected);
  });

  test("an empty answer is a valid sample (case 21), and ids are trimmed", () => {
    expect(rowFromJson('{"id":" a ","output":""}', 1, 3)).toEqual({
      kind: "sample",
      line: 1,
      bytes: 3,
      sample: { id: "a", output: "" },
    });
  });

  test("a key as long as the line does not make the error as long", () => {
    const key = "k".repeat(100_000);
    for (const text of [
      JSON.stringify({ id: "a", output: "", [key]: 1 }),
      JSON.stringify({ id: "a", output: "", meta: { [key]: 1 } }),
      JSON.stringify({ id: "a", output: "", labels: { [key]: true } }),
      JSON.stringify({ id: key, output: "" }),
    ]) {
      const row = rowFromJson(text, 1, 1);
      expect(row.kind).toBe("bad");
      expect(JSON.stringify(row).length).toBeLessThan(1200);
    }
  });

  test("nothing that a broken line says leaves in its error", () => {
    const secret = "四川人民医院";
    const line = fc.constantFrom(
      `{"id":"a","output":"${secret}"`,
      `{"id":"a","output":"${secret}",}`,
      `{"id":"a" "${secret}"}`,
      `${secret}`,
      `"${secret} at position 12"`,
      `{"id":"a","output":${secret}}`,
      `{"id":"a","output":{"text":"${secret}"}}`,
      `{"id":"a","messages":[{"role":"${secret}","content":"${secret}"}]}`,
      `{"id":"a","output":"x","task":"${secret}"}`,
      `{"id":"a","output":[{"type":"${secret}"}]}`,
      `{"id":"a","output":"x","executions":[{"name":"${secret}","outcome":"${secret}"}]}`,
      `{"id":"a","output":"\u0001${secret}"}`,
    );
    fc.assert(
      fc.property(
        line,
        fc.string({ unit: fc.constantFrom(" ", "\t", "中", "\\", '"', "{", "]"), maxLength: 6 }),
        (text, noise) => {
          const row = rowFromJson(text + noise, 1, 1);
          expect(row.kind).toBe("bad");
          expect(JSON.stringify(row)).not.toContain(secret);
          expect(JSON.stringify(row)).not.toContain(secret.slice(0, 2));
        },
      ),
    );
  });

  test("whatever JSON comes, a row comes out", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(["sample", "bad"]).toContain(rowFromJson(text, 1, text.length).kind);
      }),
    );
  });
});

describe("CSV", () => {
  test.each([
    ["plain columns", ["id", "input", "output"], null],
    ["pictures, labels and meta", ["id", "output", "image", "image2", "labels.ok", "meta.family"], null],
    ["no id", ["input", "output"], 'there is no column "id" in the first line'],
    ["a column twice", ["id", "output", "output"], 'column "output" appears twice'],
    [
      "unknown columns are named",
      ["id", "outptu", "imagex"],
      'unknown column "outptu", "imagex"; use id, task, input, output, reference, image, image2…, labels.<field> or meta.<name>',
    ],
    [
      "a bare prefix",
      ["id", "labels."],
      'unknown column "labels."; use id, task, input, output, reference, image, image2…, labels.<field> or meta.<name>',
    ],
  ])("columns: %s", (_, columns, expected) => {
    expect(csvColumnFault(columns)).toBe(expected);
  });

  test.each([
    [
      "text and labels",
      { id: "1", input: "q", output: "a", "labels.ok": "yes", "meta.family": "x" },
      { id: "1", input: "q", output: "a", labels: { ok: "yes" }, meta: { family: "x" } },
    ],
    [
      "an empty output is an empty answer, other empty cells are absent",
      { id: "1", input: "", output: "", reference: "", "labels.ok": "" },
      { id: "1", output: "" },
    ],
    [
      "pictures follow the text",
      { id: "1", output: "看", image: "a.png", image2: "b.png" },
      {
        id: "1",
        output: [
          { type: "text", text: "看" },
          { type: "image", ref: "a.png" },
          { type: "image", ref: "b.png" },
        ],
      },
    ],
    [
      "a picture alone",
      { id: "1", output: "", image: "a.png" },
      { id: "1", output: [{ type: "image", ref: "a.png" }] },
    ],
    [
      "no answer at all",
      { id: "1", input: "q" },
      ["1", "output", "a sample needs what is to be judged: output, messages or candidates"],
    ],
    [
      "a blank id",
      { id: "", output: "a" },
      ["line-3", "id", "Invalid input: expected string, received undefined"],
    ],
  ])("row: %s", (_, record, expected) => {
    expect(fault(rowFromCsv(record, 3, 10))).toEqual(expected);
  });
});
