import { describe, expect, test } from "vitest";
import { dice } from "../../../events/generate-demo/random.ts";
import { faultOf, run } from "../answers.ts";
import { envelopes } from "./envelopes.ts";
import { drawMutant } from "./mutants.ts";
import { shapeChanges } from "./shape-changes.ts";
import { valueChanges } from "./value-changes.ts";
import { wrappings } from "./wrappings.ts";

describe("mutated answers", () => {
  test("give no score without a verdict, and lose none", async () => {
    expect(await run(["--mutants", "1000"])).toEqual({
      mutants: 1000,
      scoreWithoutVerdict: 0,
      verdictLost: 0,
    });
  });

  test("are the same for the same seed, and every change is among them", () => {
    const drawn = (length: number) => {
      const random = dice(1);
      return Array.from({ length }, () => drawMutant(random));
    };
    const mutants = drawn(1500);
    const texts = mutants.slice(0, 200).map(({ wrapped }) => wrapped.text);
    expect(drawn(200).map(({ wrapped }) => wrapped.text)).toEqual(texts);
    const names = new Set(mutants.flatMap((mutant) => mutant.names));
    const all = [valueChanges, shapeChanges, wrappings, envelopes].flatMap((changes) => Object.keys(changes));
    expect([...all, "a cut", "a dent"].filter((name) => !names.has(name))).toEqual([]);
  });

  test("are told from right ones: the bench sees a score that nobody gave, and one that is missing", () => {
    const random = dice(3);
    const clear = Array.from({ length: 200 }, () => drawMutant(random)).find(
      ({ draft, hasLogprobs }) => hasLogprobs && [...draft.fate.values()].every((fate) => fate === "stays"),
    );
    if (!clear) throw new Error("no mutant is clear");
    const with_ = (part: object) => faultOf({ ...clear, draft: { ...clear.draft, ...part } })?.kind;
    expect(with_({})).toBeUndefined();
    expect(with_({ fate: new Map([["score", "gone"]]) })).toBe("scoreWithoutVerdict");
    expect(with_({ truth: new Map([["score", "other"]]) })).toBe("scoreWithoutVerdict");
    expect(with_({ fate: new Map([["missing", "stays"]]) })).toBe("verdictLost");
  });
});
