/** Points: the published examples, and what dependencies, exclusions, N/A and vetoes do to them. */
import { gradeOf, scoreRubric } from "@touchstone/core/domain/rubric/score";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { abc, criterion, grading, met, rubricOf } from "./rubric-fixture.ts";

const plain = grading();

describe("golden values", () => {
  test("HealthBench: 7, 5, 10 and −6, met T F T T, is 11/22", () => {
    const rubric = rubricOf({ a: 7, b: 5, c: 10, d: -6 });
    const score = scoreRubric(rubric, plain, met({ a: "Y", b: "N", c: "Y", d: "Y" }));
    expect(score).toMatchObject({ points: 11, norm: 0.5, unclipped: 0.5 });
  });

  const five = (fault: number) => rubricOf({ a: 5, b: 3, c: 2, fault });
  const all = { a: "Y", b: "Y", c: "Y", fault: "Y" } as const;

  test("+5 +3 +2 all met and −7 met is .3", () => {
    const score = scoreRubric(five(-7), plain, met(all));
    expect(score).toMatchObject({ points: 3, norm: 0.3, unclipped: 0.3 });
    expect(Object.fromEntries(score.credits)).toEqual({ a: 5, b: 3, c: 2, fault: -7 });
  });

  test("−10 met is 0, and unclipped 0", () => {
    expect(scoreRubric(five(-10), plain, met(all))).toMatchObject({ norm: 0, unclipped: 0 });
  });

  test("more than everything lost stays visible unclipped", () => {
    expect(scoreRubric(five(-13), plain, met(all))).toMatchObject({ norm: 0, unclipped: -0.3 });
  });

  test("a veto met is 0, or the cap, and says so; the points stand as they are", () => {
    expect(scoreRubric(five(0), plain, met(all))).toMatchObject({
      points: 10,
      unclipped: 1,
      norm: 0,
      vetoed: ["fault"],
    });
    expect(scoreRubric(five(0), grading({ vetoCap: 0.4 }), met(all)).norm).toBe(0.4);
    expect(scoreRubric(five(0), grading({ vetoCap: 0.4 }), met({ a: "N", fault: "Y" })).norm).toBe(0);
    expect(scoreRubric(five(0), plain, met({ ...all, fault: "N" }))).toMatchObject({ norm: 1, vetoed: [] });
  });

  test("a veto may cost points besides", () => {
    const rubric = [...rubricOf({ a: 10 }), criterion("v", -10, { kind: "veto" })];
    const score = scoreRubric(rubric, grading({ vetoCap: 0.5 }), met({ a: "Y", v: "Y" }));
    expect(score).toMatchObject({ points: 0, unclipped: 0, norm: 0, vetoed: ["v"] });
  });
});

describe("dependsOn", () => {
  const rubric = [
    criterion("parent", 4),
    criterion("child", 6, { dependsOn: ["parent"] }),
    criterion("fault", -5, { dependsOn: ["child"] }),
  ];

  test("a child of what is unmet counts unmet, and its points stay attainable", () => {
    const score = scoreRubric(rubric, plain, met({ parent: "N", child: "Y", fault: "Y" }));
    expect(score).toMatchObject({ points: 0, norm: 0 });
  });

  test("a fault of what is unmet does not apply", () => {
    const score = scoreRubric(rubric, plain, met({ parent: "Y", child: "N", fault: "Y" }));
    expect(score).toMatchObject({ points: 4, norm: 0.4 });
  });

  test("a whole chain that is met counts whole", () => {
    const score = scoreRubric(rubric, plain, met({ parent: "Y", child: "Y", fault: "Y" }));
    expect(score).toMatchObject({ points: 5, norm: 0.5 });
  });

  test("what depends on something that does not apply does not apply either", () => {
    const score = scoreRubric(
      [...rubric, criterion("other", 5)],
      plain,
      met({ parent: "NA", child: "Y", fault: "Y", other: "Y" }),
    );
    expect(score).toMatchObject({ points: 5, norm: 1 });
  });
});

describe("N/A and exclusion", () => {
  test("N/A takes its points out of the denominator", () => {
    const rubric = [criterion("a", 5), criterion("b", 5, { notApplicable: true })];
    expect(scoreRubric(rubric, plain, met({ a: "Y", b: "NA" })).norm).toBe(1);
    expect(scoreRubric(rubric, plain, met({ a: "Y", b: "N" })).norm).toBe(0.5);
  });

  test("where nothing positive applies there is no score and no grade", () => {
    const rubric = [criterion("a", 5, { notApplicable: true }), criterion("f", -2)];
    expect(scoreRubric(rubric, abc, met({ a: "NA", f: "Y" }))).toMatchObject({
      norm: null,
      unclipped: null,
      grade: null,
    });
  });

  test("of criteria that exclude each other the weightiest met one counts, of their points the most", () => {
    const rubric = [criterion("exact", 5, { mutex: ["near"] }), criterion("near", 3), criterion("other", 5)];
    expect(scoreRubric(rubric, plain, met({ exact: "N", near: "Y", other: "Y" })).norm).toBe(0.8);
    expect(scoreRubric(rubric, plain, met({ exact: "Y", near: "Y", other: "N" })).norm).toBe(0.5);
  });

  test("no veto can be excluded away", () => {
    const rubric = [criterion("a", 5, { mutex: ["v"] }), criterion("v", 0, { mutex: ["a"] })];
    expect(scoreRubric(rubric, plain, met({ a: "Y", v: "Y" }))).toMatchObject({ norm: 0, vetoed: ["v"] });
  });
});

test("grades are bands, edges belong to the higher one, also where decimals carry dust", () => {
  expect([0, 0.49, 0.5, 0.8, 1].map((norm) => gradeOf(norm, abc.bands))).toEqual(["C", "C", "B", "A", "A"]);
  const rubric = rubricOf({ a: 0.1, b: 0.2, c: 0.3, d: 0.4 });
  const score = scoreRubric(
    rubric,
    grading({
      bands: [
        { name: "low", min: 0 },
        { name: "high", min: 0.6 },
      ],
    }),
    met({ a: "Y", b: "Y", c: "Y" }),
  );
  expect(score.grade).toBe("high");
  expect(gradeOf(0.7, [])).toBeNull();
});

test("property: norm is in 0…1, and meeting one more positive criterion never lowers it", () => {
  const points = fc.array(
    fc.integer({ min: -9, max: 9 }).filter((value) => value !== 0),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(points, fc.infiniteStream(fc.boolean()), (values, coins) => {
      const rubric = values.map((value, index) => criterion(`c${index}`, value));
      const codes = new Map(
        rubric.map(({ id }) => [id, coins.next().value ? ("Y" as const) : ("N" as const)]),
      );
      const norm = scoreRubric(rubric, plain, codes).norm ?? 0;
      expect(norm).toBeGreaterThanOrEqual(0);
      expect(norm).toBeLessThanOrEqual(1);
      for (const { id, kind } of rubric) {
        if (kind !== "positive") continue;
        expect(scoreRubric(rubric, plain, new Map([...codes, [id, "Y"]])).norm ?? 0).toBeGreaterThanOrEqual(
          norm,
        );
      }
    }),
    { numRuns: 200 },
  );
});
