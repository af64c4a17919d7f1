/** Decision-relevant routing: a sample goes to a person only for what can change its grade or a veto, and for no more. */
import { assessRubric } from "@touchstone/core/domain/rubric/assess";
import { routeRubric } from "@touchstone/core/domain/rubric/route";
import { scoreRubric } from "@touchstone/core/domain/rubric/score";
import { scoreBounds } from "@touchstone/core/domain/rubric/score-bounds";
import type { Criterion, CriterionCode } from "@touchstone/core/schema/rubric";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { abc, criterion, grading, rubricOf, said } from "./rubric-fixture.ts";

const rubric = rubricOf({ a: 5, b: 3, c: 2 });
const assess = (verdicts: Parameters<typeof assessRubric>[2], criteria: readonly Criterion[] = rubric) =>
  assessRubric(criteria, abc, verdicts, 0.9);

describe("open criteria", () => {
  test("that cannot change the grade send nobody anywhere: B at worst and at best", () => {
    const result = assess([said("a", "Y", 0.99), said("b", "N", 0.95), said("c", "Y", 0.6)]);
    expect(result).toMatchObject({ grade: "B", points: 7, norm: 0.7, range: [0.5, 0.7] });
    expect(result.open).toBeUndefined();
  });

  test("that can change it are asked, and points and grade are then open too", () => {
    const result = assess([said("a", "Y", 0.6), said("b", "Y", 0.99), said("c", "N", 0.7)]);
    expect(result).toMatchObject({ grade: null, points: null, norm: null, range: [0.3, 1] });
    expect(result.open).toEqual(["a", "c"]);
  });

  test("only those that can change it are asked", () => {
    // b moves .2 … .5 over the edge of B; the tenth of a point that c is worth never does.
    const result = assess(
      [said("a", "N", 0.99), said("b", "Y", 0.6), said("c", "Y", 0.6), said("d", "Y", 0.99)],
      rubricOf({ a: 4.9, b: 3, c: 0.1, d: 2 }),
    );
    expect(result.range).toEqual([0.2, 0.51]);
    expect(result.open).toEqual(["b"]);
  });

  test("come with the most valuable first: |points| · min(p, 1 − p)", () => {
    const result = assess(
      [said("a", "Y", 0.85), said("b", "Y", 0.5), said("c", "N", 0.55), said("d", "Y", 0.8)],
      rubricOf({ a: 5, b: 3, c: 2, d: -4 }),
    );
    // 1.5, then 2 · 0.45, 4 · 0.2 and 5 · 0.15.
    expect(result.open).toEqual(["b", "c", "d", "a"]);
  });
});

describe("vetoes", () => {
  const vetoed = [...rubric, criterion("v", 0)];
  const good = [said("a", "Y", 0.99), said("b", "Y", 0.99), said("c", "Y", 0.99)];

  test("an open veto always goes to a person, also where the grade could not fall any more", () => {
    expect(assess([...good, said("v", "N", 0.7)], vetoed).open).toEqual(["v"]);
    const bad = [said("a", "N", 0.99), said("b", "N", 0.99), said("c", "N", 0.99)];
    expect(assess([...bad, said("v", "N", 0.7)], vetoed).open).toEqual(["v"]);
  });

  test("a sure one is answered by the machine, met or not", () => {
    expect(assess([...good, said("v", "N", 0.99)], vetoed)).toMatchObject({ grade: "A" });
    expect(assess([...good, said("v", "Y", 0.99)], vetoed)).toMatchObject({
      grade: "C",
      norm: 0,
      vetoed: ["v"],
    });
  });

  test("a sure veto leaves nothing for other criteria to change", () => {
    const result = assess(
      [said("a", "Y", 0.5), said("b", "N", 0.5), said("c", "Y", null), said("v", "Y", 0.99)],
      vetoed,
    );
    expect(result).toMatchObject({ grade: "C" });
    expect(result.open).toBeUndefined();
  });

  test("one that depends on something unmet is not open", () => {
    const dependent = [...rubric, criterion("v", 0, { dependsOn: ["c"] })];
    const result = assess(
      [said("a", "Y", 0.99), said("b", "Y", 0.99), said("c", "N", 0.99), said("v", "Y", 0.5)],
      dependent,
    );
    expect(result).toMatchObject({ grade: "A" });
  });
});

describe("no verdict is no credit", () => {
  test.each([
    ["no verdict", said("a", null, null)],
    ["a verdict without a probability", said("a", "Y", null)],
    ["a verdict whose quotes were not found", said("a", "Y", 0.99, { evidence: "unverified" })],
  ])("%s goes to a person", (_, verdict) => {
    const result = assess([verdict, said("b", "Y", 0.99), said("c", "Y", 0.99)]);
    expect(result.open).toEqual(["a"]);
    expect(result.grade).toBeNull();
  });

  test("an unverified one that cannot change the grade earns nothing", () => {
    const result = assess([
      said("a", "Y", 0.99),
      said("b", "N", 0.99),
      said("c", "Y", 0.99, { evidence: "unverified" }),
    ]);
    expect(result).toMatchObject({ grade: "B", points: 5, norm: 0.5 });
    expect(result.criteria[2]).toMatchObject({ met: "Y", credit: 0, evidence: "unverified" });
  });

  test("two that exclude each other and are both met are doubtful both", () => {
    const exclusive = [criterion("a", 5, { mutex: ["b"] }), criterion("b", 3), criterion("c", 5)];
    const result = assess([said("a", "Y", 0.99), said("b", "Y", 0.99), said("c", "Y", 0.99)], exclusive);
    expect(result.open).toEqual(["a", "b"]);
  });

  test("where everything was set aside a person looks at what was", () => {
    const optional = [criterion("a", 5, { notApplicable: true }), criterion("f", -1)];
    const result = assess([said("a", "NA", 0.99), said("f", "N", 0.99)], optional);
    expect(result).toMatchObject({ norm: null, open: ["a"] });
  });
});

test("what code checked and what a person said is never open", () => {
  const result = assess([
    said("a", "Y", 1, { by: "rule" }),
    said("b", "N", null, { by: "person" }),
    said("c", "Y", null, { by: "person" }),
  ]);
  expect(result).toMatchObject({ grade: "B", points: 7, criteria: [{ by: "rule" }, { by: "person" }, {}] });
});

test("without bands every point is a difference", () => {
  const verdicts = [said("a", "Y", 0.99), said("b", "Y", 0.99), said("c", "Y", 0.6)];
  expect(assessRubric(rubric, grading(), verdicts, 0.9).open).toEqual(["c"]);
});

test("S_lo and S_hi: each open criterion at its worst and at its best", () => {
  const signed = rubricOf({ a: 5, b: 3, c: 2, d: -4 });
  const open: readonly CriterionCode[] = ["Y", "N"];
  const options = new Map([
    ["a", ["Y"] as const],
    ["b", open],
    ["c", ["N"] as const],
    ["d", open],
  ]);
  expect(scoreBounds(signed, abc, options)).toEqual({ lo: 0.1, hi: 0.8 });
});

test("many open criteria of little weight: bounds decide, without looking at every combination", () => {
  const many = [
    criterion("big", 900),
    ...Array.from({ length: 40 }, (_, index) => criterion(`c${index}`, 1)),
  ];
  const verdicts = many.map(({ id }) => said(id, "Y", id === "big" ? 0.99 : 0.5));
  expect(assessRubric(many, abc, verdicts, 0.9)).toMatchObject({ grade: "A" });
  const few = many.map(({ id }) => said(id, "N", id === "big" ? 0.5 : 0.5));
  expect(assessRubric(many, abc, few, 0.9).open).toHaveLength(41);
});

const anyCriterion = (index: number) =>
  fc.record({
    points: fc.constantFrom(-6, -2, 1, 3, 7),
    notApplicable: fc.boolean(),
    parent: fc.integer({ min: 0, max: 9 }),
    partner: fc.integer({ min: 0, max: 9 }),
    code: fc.constantFrom<CriterionCode>("Y", "N"),
    open: fc.boolean(),
    index: fc.constant(index),
  });

test("property: bounds hold every possible score, and an answer to what is not asked changes no grade", () => {
  const drawn = fc.tuple(...Array.from({ length: 5 }, (_, index) => anyCriterion(index)));
  fc.assert(
    fc.property(drawn, (list) => {
      const criteria = list.map(({ points, notApplicable, parent, partner, index }) =>
        criterion(`c${index}`, points, {
          notApplicable,
          dependsOn: parent < index ? [`c${parent}`] : [],
          ...(partner < index ? { mutex: [`c${partner}`] } : {}),
        }),
      );
      const options = new Map(
        list.map(({ notApplicable, code, open, index }): [string, readonly CriterionCode[]] => [
          `c${index}`,
          open ? (notApplicable ? ["Y", "N", "NA"] : ["Y", "N"]) : [code],
        ]),
      );
      const { ask } = routeRubric(criteria, abc, options);
      const bounds = scoreBounds(criteria, abc, options);
      const grades = new Map<string, Set<string>>();
      let all: Map<string, CriterionCode>[] = [new Map()];
      for (const [id, codes] of options)
        all = all.flatMap((sofar) => codes.map((code) => new Map([...sofar, [id, code]])));
      for (const codes of all) {
        const score = scoreRubric(criteria, abc, codes);
        if (score.norm !== null) {
          expect(score.norm).toBeGreaterThanOrEqual(bounds.lo - 1e-9);
          expect(score.norm).toBeLessThanOrEqual(bounds.hi + 1e-9);
        }
        const answers = ask.map((id) => codes.get(id)).join();
        grades.set(answers, (grades.get(answers) ?? new Set()).add(`${score.grade} ${score.vetoed.join()}`));
      }
      for (const reached of grades.values()) expect([...reached]).toHaveLength(1);
    }),
    { numRuns: 300 },
  );
});
