import { parseNumber, sameNumber } from "@touchstone/core/domain/score-exact/number-form";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("the policy for numbers", () => {
  test.each([
    ["3.14", "3.140", true],
    ["3.14", "π", false],
    ["22/7", "π", false],
    ["1/2", "0.5", true],
    ["1,000", "1000", true],
    ["50%", "0.5", false],
    ["28\\%", "28", false],
    ["1000.99", "1000,99", true],
    ["7425000", "7,425,000", true],
    ["\\frac13", "1/3", true],
    ["\\dfrac{1}{3}", "1/3", true],
    ["[0,1)", "(0,1)", false],
    ["[0, 1.0)", "[0,1)", true],
    ["-5", "5", false],
    ["−5", "-5", true],
    ["５．０", "5", true],
    ["x = 5", "5", true],
    ["$5", "5", true],
    [".5", "0.5", true],
    ["5 cm", "5 m", false],
    ["5 cm", "5cm", true],
    ["90^\\circ", "90°", true],
    ["5 cm", "5", null],
    ["x+1", "1+x", null],
    ["\\pi", "π", true],
  ])("%s and %s: %s", (left, right, expected) => {
    expect(sameNumber(left, right)).toBe(expected);
    expect(sameNumber(right, left)).toBe(expected);
  });

  test("a tolerance or a percent counts only where it is declared", () => {
    expect(sameNumber("3.14", "π", { tolerance: 2e-3 })).toBe(true);
    expect(sameNumber("3.14", "π", { tolerance: 1e-3 })).toBe(false);
    expect(sameNumber("50%", "0.5", { percent: true })).toBe(true);
    expect(sameNumber("0.28", "28%", { percent: true })).toBe(true);
  });

  test("fractions are equal however they are expanded", () => {
    const part = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(part, part, part, (top, bottom, factor) => {
        expect(sameNumber(`${top}/${bottom}`, `${top * factor}/${bottom * factor}`)).toBe(true);
        expect(sameNumber(`${top}/${bottom}`, `${top + 1}/${bottom}`)).toBe(false);
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  test.each(["", "abc", "1/0", "1 + 2", "2x3", `1${"0".repeat(100)}`])("%j is no number", (text) => {
    expect(parseNumber(text)).toBeNull();
  });
});
