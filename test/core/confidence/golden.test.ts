import { type Alignment, alignTokens } from "@touchstone/core/domain/confidence/align-tokens";
import { type FieldConfidence, labelConfidence } from "@touchstone/core/domain/confidence/field-confidence";
import type { TokenLogprob } from "@touchstone/core/schema/chat";
import { describe, expect, test } from "vitest";
import { token, withoutBytes } from "./tokens.ts";

function aligned(content: string, tokens: readonly TokenLogprob[]): Alignment {
  const alignment = alignTokens(content, tokens);
  if (!alignment) throw new Error("not aligned");
  return alignment;
}

/** Confidence of the value `raw` (as written, quotes included) in the content that the tokens spell. */
function confidence(
  content: string,
  tokens: readonly TokenLogprob[],
  raw: string,
  labels: readonly string[],
): FieldConfidence {
  const start = content.lastIndexOf(raw);
  const value = raw.replaceAll('"', "");
  return labelConfidence(content, aligned(content, tokens), [start, start + raw.length], labels, value);
}

const scoreTokens = [token('{"score":'), token("4", 0.7, { 5: 0.2, 3: 0.08, "-": 0.02 }), token("}")];
const five = ["1", "2", "3", "4", "5"];

function expectCaseA(found: FieldConfidence) {
  expect(found.status).toBe("ok");
  expect(found.pRaw).toBeCloseTo(0.714286, 6);
  expect(found.distribution?.["5"]).toBeCloseTo(0.204082, 6);
  expect(found.distribution?.["3"]).toBeCloseTo(0.081633, 6);
  expect(found.margin).toBeCloseTo(0.510204, 6);
  expect(found.entropyNorm).toBeCloseTo(0.477933, 6);
  expect(found.validMass).toBeCloseTo(0.98, 9);
}

describe("golden values", () => {
  test("A: a score of one token", () => {
    expectCaseA(confidence('{"score":4}', scoreTokens, "4", five));
  });

  test("B: Chinese labels that share their first character", () => {
    const tokens = [
      token('{"等级":"'),
      token("优", 0.7, { 差: 0.28, 好: 0.02 }),
      token("秀", 0.6, { 良: 0.39, 雅: 0.01 }),
      token('",'),
      token('"x":1}'),
    ];
    const found = confidence('{"等级":"优秀","x":1}', tokens, '"优秀"', ["优秀", "优良", "差"]);
    expect(found.pRaw).toBeCloseTo(0.4329, 6);
    expect(found.distribution?.优良).toBeCloseTo(0.281385, 6);
    expect(found.distribution?.差).toBeCloseTo(0.285714, 6);
    expect(found.joint).toBeCloseTo(0.42, 9);
    expect(found.geo).toBeCloseTo(0.648074, 6);
  });

  test("C: a character split over two tokens, true bytes", () => {
    const tokens = [
      token('{"等级":"'),
      token("优", 0.7),
      token("�", 0.9, {}, [0xe7, 0xa7]),
      token("�", 0.8, {}, [0x80]),
      token('"}'),
    ];
    const found = confidence('{"等级":"优秀"}', tokens, '"优秀"', ["优秀", "差"]);
    expect(found.mode).toBe("bytes");
    expect(found.joint).toBeCloseTo(0.504, 9);
    expect(found.geo).toBeCloseTo(0.795811, 6);
    expect(found.min).toBeCloseTo(0.7, 9);
  });

  test("D: the same with the bytes of replacement characters", () => {
    const tokens = [token('{"等级":"'), token("优", 0.7), token("�", 0.9), token("�", 0.8), token('"}')];
    const found = confidence('{"等级":"优秀"}', tokens, '"优秀"', ["优秀", "差"]);
    expect(found.mode).toBe("walk");
    expect(found.joint).toBeCloseTo(0.504, 9);
    expect(found.geo).toBeCloseTo(0.795811, 6);
    expect(found.min).toBeCloseTo(0.7, 9);
  });

  test("E: a thought with the same digit before, a control token after", () => {
    const tokens = [
      token("<think>"),
      token("4", 0.99, { 5: 0.01 }),
      token("</think>"),
      ...scoreTokens,
      token("<|im_end|>"),
    ];
    expectCaseA(confidence('{"score":4}', tokens, "4", five));
    expectCaseA(confidence('{"score":4}', withoutBytes(tokens), "4", five));
  });

  test("F: a label that starts another one", () => {
    const tokens = [token('{"score":'), token("1", 0.9, { 2: 0.1 }), token("}", 0.6, { 0: 0.3, 5: 0.1 })];
    const found = confidence('{"score":1}', tokens, "1", ["1", "2", "10"]);
    expect(found.distribution?.["1"]).toBeCloseTo(0.6, 9);
    expect(found.distribution?.["10"]).toBeCloseTo(0.3, 9);
    expect(found.distribution?.["2"]).toBeCloseTo(0.1, 9);
    expect(found.validMass).toBeCloseTo(0.9, 9);
  });

  test("G: the opening quote is glued to the label", () => {
    const tokens = [token('{"ok":'), token('"yes', 0.9, { '"no': 0.09, '"maybe': 0.01 }), token('"}')];
    const found = confidence('{"ok":"yes"}', tokens, '"yes"', ["yes", "no"]);
    expect(found.pRaw).toBeCloseTo(0.909091, 6);
    expect(found.distribution?.no).toBeCloseTo(0.090909, 6);
    expect(found.validMass).toBeCloseTo(0.99, 9);
  });

  test("H: a literal with a space before it", () => {
    const tokens = [token('{"met":'), token(" true", 0.95, { " false": 0.05 }), token("}")];
    expect(confidence('{"met": true}', tokens, "true", ["true", "false"]).pRaw).toBeCloseTo(0.95, 9);
  });

  test("I: a probability that the server does not list is missing, never 1", () => {
    const tokens = [token('{"score":'), { ...token("4"), logprob: -9999 }, token("}")];
    const found = confidence('{"score":4}', tokens, "4", five);
    expect(found.status).toBe("missing");
    expect(found.pRaw).toBeNull();
  });

  test("a token that only touches the opening quote does not count", () => {
    const value = "health and wellness";
    const tokens = [
      token('{"category'),
      { ...token('":"'), logprob: -0.2 },
      { ...token("health"), logprob: -0.168 },
      { ...token(" and"), logprob: 0 },
      { ...token(" wellness"), logprob: 0 },
      token('"}'),
    ];
    const found = confidence(`{"category":"${value}"}`, tokens, `"${value}"`, [value, "sport"]);
    expect(found.joint).toBeCloseTo(0.845, 3);
  });
});
