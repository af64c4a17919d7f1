/** Sample keys have one text form, which reads back to the same key. */
import {
  batchIdSchema,
  formatSampleKey,
  parseSampleKey,
  sampleKeySchema,
} from "@touchstone/core/schema/identity";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const key = fc.record({
  // "#" and digits in a batch name are what could confuse the text form.
  batch: fc
    .oneof(
      fc.string({ unit: "binary", minLength: 3, maxLength: 40 }),
      fc.stringMatching(/^[#0-9a-z/@\n]{3,20}$/),
    )
    .map((text) => batchIdSchema.parse(text)),
  run: fc.integer({ min: 1, max: 99 }),
  split: fc.nat({ max: 2000 }),
  ordinal: fc.nat({ max: 3999 }),
});

describe("sample key", () => {
  test("reads back what it wrote", () => {
    fc.assert(
      fc.property(key, (one) => {
        expect(parseSampleKey(formatSampleKey(one))).toEqual(one);
      }),
    );
  });

  test("two keys have one text only if they are one", () => {
    fc.assert(
      fc.property(key, key, (left, right) => {
        const equal = formatSampleKey(left) === formatSampleKey(right);
        expect(equal).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });

  test.each([
    "",
    "a#1#2",
    "abc#0#0#0",
    "abc#1#0#x",
    "abc#1#-1#0",
    "ab#1#0#0",
    "abc#1#0#99999999999999999999",
  ])("is not %j", (text) => {
    expect(parseSampleKey(text)).toBeNull();
  });

  test("has nothing else in it", () => {
    expect(sampleKeySchema.safeParse({ batch: "abc", run: 1, split: 0, ordinal: 0, extra: 1 }).success).toBe(
      false,
    );
  });
});
