import { alignTokens } from "@touchstone/core/domain/confidence/align-tokens";
import { fieldConfidences } from "@touchstone/core/domain/confidence/field-confidence";
import { type Answer, readAnswer } from "@touchstone/core/domain/judge/answer";
import { type ChatCompletion, chatCompletionSchema, type TokenLogprob } from "@touchstone/core/schema/chat";
import type { Sample } from "@touchstone/core/schema/sample";
import { type Field, fieldSchema } from "@touchstone/core/schema/template";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { token, withoutBytes } from "./tokens.ts";

const sample: Sample = { id: "s-1", output: "8 errors" };
const field = (kind: string, codes: readonly string[]): Field =>
  fieldSchema.parse({
    kind,
    id: "score",
    title: "Score",
    labels: codes.map((code) => ({ code, name: code })),
  });

function completion(tokens: readonly TokenLogprob[] | null, content?: string): ChatCompletion {
  return chatCompletionSchema.parse({
    choices: [
      {
        finish_reason: "stop",
        message: { content: content ?? (tokens ?? []).map((one) => one.token).join("") },
        logprobs: tokens && { content: tokens },
      },
    ],
  });
}

function confidenceOf(asked: Field, answered: ChatCompletion) {
  const reading = readAnswer(answered, { fields: [asked], sample, gists: [] });
  if (reading.kind !== "answer") throw new Error(reading.detail);
  const found = fieldConfidences([asked], reading satisfies Answer, answered).get("score");
  if (!found) throw new Error("the field has no confidence");
  return found;
}

describe("fieldConfidences", () => {
  const digits = field("ordinal", ["7", "8", "9", "10"]);

  test("takes the token from the value's place, not from the same digit in the explanation", () => {
    const tokens = [
      token('{"explanation":"'),
      token("8", 1),
      token(' errors","fields":{"score":"'),
      token("8", 0.5, { 9: 0.5 }),
      token('"}}'),
    ];
    expect(confidenceOf(digits, completion(tokens)).pRaw).toBeCloseTo(0.5, 9);
  });

  test("adds up alternatives that are the same value in other glyphs", () => {
    const tokens = [
      token('{"fields":{"score":'),
      token("8", 0.3, { " 8": 0.2, "８": 0.1, 9: 0.4 }),
      token("}}"),
    ];
    expect(confidenceOf(digits, completion(tokens)).pRaw).toBeCloseTo(0.6, 9);
  });

  test("combines a label of two tokens", () => {
    const tokens = [
      token('{"fields":{"score":"'),
      token("1", 0.8, { 9: 0.2 }),
      token("0", 0.5, { 1: 0.5 }),
      token('"}}'),
    ];
    expect(confidenceOf(digits, completion(tokens)).pRaw).toBeCloseTo(0.8, 9);
  });

  test.each([
    ["no logprobs", null],
    ["an empty list", []],
  ])("%s is missing, never certainty", (_, tokens) => {
    const found = confidenceOf(digits, completion(tokens, '{"fields":{"score":"8"}}'));
    expect(found).toMatchObject({ status: "missing", pRaw: null });
  });

  test("tokens of another text are unaligned", () => {
    const found = confidenceOf(digits, completion([token("something else")], '{"fields":{"score":"8"}}'));
    expect(found).toMatchObject({ status: "unaligned", pRaw: null });
  });

  test("without alternatives only the joint probability is known", () => {
    const tokens = [token('{"fields":{"score":"'), { ...token("8", 0.7), top_logprobs: null }, token('"}}')];
    const found = confidenceOf(digits, completion(tokens));
    expect(found.status).toBe("no-alternatives");
    expect(found.pRaw).toBeCloseTo(0.7, 9);
    expect(found.distribution).toBeNull();
  });

  test("an escaped value has its joint probability alone", () => {
    const tokens = [token('{"fields":{"score":"'), token("\\u0038", 0.6), token('"}}')];
    const found = confidenceOf(digits, completion(tokens));
    expect(found.status).toBe("escaped");
    expect(found.pRaw).toBeCloseTo(0.6, 9);
  });

  test("logits in place of log probabilities are missing", () => {
    const tokens = [token('{"fields":{"score":"'), { ...token("8"), logprob: 14.2 }, token('"}}')];
    expect(confidenceOf(digits, completion(tokens)).status).toBe("missing");
  });

  test("a set counts its elements and its end", () => {
    const tags = field("labels", ["A", "B", "C"]);
    const tokens = [
      token('{"fields":{"score":['),
      token('"'),
      token("A", 0.8, { B: 0.2 }),
      token('"'),
      token(",", 0.5, { "]": 0.5 }),
      token('"'),
      token("C", 0.6, { B: 0.2, A: 0.2 }),
      token('"'),
      token("]", 0.9, { ",": 0.1 }),
      token("}}"),
    ];
    const found = confidenceOf(tags, completion(tokens));
    // A is no longer possible at the second element: 0.6 / 0.8.
    expect(found.pRaw).toBeCloseTo(0.8 * 0.5 * 0.75 * 0.9, 9);
    expect(found.status).toBe("ok");
  });

  test("a free text has no probability of being right", () => {
    const note = fieldSchema.parse({ kind: "text", id: "score", title: "Note" });
    const tokens = [token('{"fields":{"score":"'), token("fine", 0.5), token('"}}')];
    const found = confidenceOf(note, completion(tokens));
    expect(found).toMatchObject({ status: "free-text", pRaw: null });
    expect(found.geo).toBeCloseTo(0.5, 9);
  });

  test("whatever the tokens, a known distribution sums to 1 and holds the value's probability", () => {
    const share = fc.double({ min: 0.001, max: 1, noNaN: true });
    const alternatives = fc.dictionary(
      fc.constantFrom("7", "8", "9", "1", "10", "x", '8"', ' "9', "", "�"),
      share,
    );
    fc.assert(
      fc.property(
        fc.constantFrom("7", "8", "9", "10"),
        share,
        alternatives,
        alternatives,
        fc.boolean(),
        fc.boolean(),
        (value, p, first, second, quoted, bytes) => {
          const quote = quoted ? '"' : "";
          const tokens = [
            token(`{"fields":{"score":${quote}`),
            token(value, p, first),
            token(`${quote}}}`, p, second),
          ];
          const found = confidenceOf(digits, completion(bytes ? tokens : withoutBytes(tokens)));
          if (found.status !== "ok" || !found.distribution) return;
          const total = Object.values(found.distribution).reduce((sum, mass) => sum + mass, 0);
          expect(total).toBeCloseTo(1, 9);
          expect(found.distribution[value]).toBe(found.pRaw);
          expect(found.entropyNorm).toBeLessThanOrEqual(1 + 1e-9);
          expect(found.validMass).toBeGreaterThanOrEqual(0);
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe("alignTokens", () => {
  test("covers the text without gaps, however it is cut into tokens", () => {
    const text = fc.array(fc.constantFrom("a", "8", "优", "秀", "😀", '"', " ", "{", ":"), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 4 })), fc.boolean(), (units, cuts, bytes) => {
        const content = units.join("").trim();
        if (content === "") return;
        const tokens: TokenLogprob[] = [];
        const characters = [...content];
        for (let at = 0, turn = 0; at < characters.length; turn++) {
          const length = cuts[turn] ?? 2;
          tokens.push(token(characters.slice(at, at + length).join("")));
          at += length;
        }
        const alignment = alignTokens(content, bytes ? tokens : withoutBytes(tokens));
        expect(alignment?.tokens.map(({ start, end }) => content.slice(start, end)).join("")).toBe(content);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  test("a thought that holds the whole answer is passed over", () => {
    const answer = '{"fields":{"score":"8"}}';
    const tokens = [token(answer), token("</think>\n\n"), token(answer), token("<|im_end|>")];
    for (const sent of [tokens, withoutBytes(tokens)]) {
      expect(alignTokens(answer, sent)?.tokens.map((placed) => placed.token)).toEqual([sent[2]]);
    }
  });
});
