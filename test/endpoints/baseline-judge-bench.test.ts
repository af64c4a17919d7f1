import { describe, expect, test } from "vitest";
import { run } from "../bench/baseline.ts";
import { auroc, majorityShare } from "../bench/ranking.ts";

describe("the baseline on held-out halves of the demo", () => {
  test.each(["shop-dialogue", "poster-brief"])(
    "%s: beats the majority and ranks its errors",
    async (name) => {
      const { sets } = await run(["--set", name]);
      const [set] = sets;
      expect(set?.name).toBe(name);
      expect(set?.accuracy).toBeGreaterThan(set?.majority ?? 1);
      expect(set?.auroc).toBeGreaterThanOrEqual(0.6);
    },
  );
});

describe("measures", () => {
  test("AUROC counts pairs, ties by half", () => {
    const items = [0.1, 0.4, 0.35, 0.8].map((score, index) => ({ score, positive: index > 1 }));
    expect(auroc(items)).toBe(0.75);
    expect(auroc(items.map((item) => ({ ...item, score: 1 })))).toBe(0.5);
    expect(auroc(items.filter(({ positive }) => positive))).toBeNull();
  });

  test("the majority is taken group by group", () => {
    const labels = ["Y", "Y", "N"].map((label) => ({ group: "a", label }));
    expect(majorityShare([...labels, { group: "b", label: "N" }])).toBe(0.75);
  });
});
