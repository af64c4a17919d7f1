/** What may be written into one attribute. */
import { describe, expect, test } from "vitest";
import { jsonAttribute, nonFinitePath } from "../../functions/_aws/stored.ts";
import { result } from "../contract/records.ts";

const withRaw = (raw: number) =>
  result({ fields: [{ id: "f", value: null, confidence: { source: "logprob", raw, calibrated: null } }] });

describe("numbers", () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "%d is refused by its place",
    (raw) => {
      expect(() => jsonAttribute("result", withRaw(raw))).toThrow("result.fields.0.confidence.raw");
    },
  );
  test.each([0, -0.5, 1e-7, 5e-324, 1e300, 2 ** 53 + 2])("%d is kept", (raw) => {
    expect(JSON.parse(jsonAttribute("result", withRaw(raw)))).toEqual(withRaw(raw));
  });
  test("finds nothing where all is finite", () => {
    expect(nonFinitePath({ a: [1, { b: null }], c: "NaN", d: undefined })).toBeNull();
  });
});

describe("size", () => {
  test("counts UTF-8 bytes, not characters, and names the largest part", () => {
    const long = result({ explanation: "字".repeat(140_000) });
    expect(() => jsonAttribute("result", long)).toThrow(/result has 42\d{4} bytes .* result\.explanation/);
    expect(() => jsonAttribute("result", result({ explanation: "x".repeat(140_000) }))).not.toThrow();
  });
});
