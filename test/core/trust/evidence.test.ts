/** Which labels fit and which certify: disjoint, each sample once, each with its weight. */
import { labelUse } from "@touchstone/core/domain/certificate/label-use";
import { calibrationPoints, certifyingStream, withoutCopies } from "@touchstone/core/domain/trust/evidence";
import { isDrawn } from "@touchstone/core/domain/trust/observed";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { observed } from "./observed-family.ts";

const draw = { rate: 0.2, fitShare: 0.4 };
const many = (part: Parameters<typeof observed>[1] = {}) =>
  Array.from({ length: 2_000 }, (_, index) => observed(index, part));

describe("labels", () => {
  test("that certify never fit, whatever rate and share", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        fc.array(
          fc.record({
            id: fc.integer({ min: 0, max: 300 }),
            accepted: fc.boolean(),
            raw: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
        ),
        (rate, fitShare, seeds) => {
          const samples = seeds.map(({ id, accepted, raw }) => observed(id, { accepted, raw }));
          const fit = calibrationPoints(samples, { rate, fitShare });
          const { audits } = certifyingStream(samples, { rate, fitShare });
          // Every sample of these has a probability of its own, or is a copy.
          const certifying = new Set(audits.map(({ likeness }) => likeness));
          const fitting = withoutCopies(samples).filter(
            (sample) =>
              !(isDrawn(sample, rate) && labelUse(sample.likeness, sample.task, fitShare) === "certify") &&
              (!sample.accepted || isDrawn(sample, rate)),
          );
          expect(fit).toHaveLength(fitting.length);
          expect(fitting.filter(({ likeness }) => certifying.has(likeness))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("weigh one over their chance to be looked at and to fit", () => {
    const accepted = calibrationPoints(many(), draw);
    expect(new Set(accepted.map(({ weight }) => weight))).toEqual(new Set([1 / (0.2 * 0.4)]));
    expect(accepted.length / 2_000).toBeCloseTo(0.08, 1);
    const reviewed = calibrationPoints(many({ accepted: false }), draw);
    expect(new Set(reviewed.map(({ weight }) => weight))).toEqual(new Set([1 / (1 - 0.2 * 0.6)]));
    for (const points of [accepted, reviewed])
      expect(points.reduce((sum, { weight }) => sum + weight, 0) / 2_000).toBeCloseTo(1, 0);
  });

  test("are soft where people disagree, and absent where nobody looked or nothing was measured", () => {
    const split = observed(1, { accepted: false, agreeing: 0.5 });
    const silent = observed(2, { accepted: false, agreeing: null, final: null });
    const unmeasured = observed(3, { accepted: false, raw: null });
    const points = calibrationPoints([split, silent, unmeasured], { rate: 0, fitShare: 0.4 });
    expect(points).toEqual([{ probability: 0.99, correct: 0.5, weight: 1, task: "t" }]);
  });

  test("of copies count once: the first one", () => {
    const copies = [observed(7, { decidedAt: 9 }), observed(8, { likeness: "l-7", decidedAt: 3 })];
    expect(withoutCopies(copies).map(({ sampleId }) => sampleId)).toEqual(["s-8"]);
    expect(withoutCopies([...copies, observed(9, { likeness: "l-7", task: "u" })])).toHaveLength(2);
  });

  test("that are missing end the window before the oldest of them, or count as errors", () => {
    const samples = many().map((sample, index) => (index === 900 ? { ...sample, final: null } : sample));
    const everything = { rate: 1, fitShare: 0 };
    const cut = certifyingStream(samples, everything);
    expect(cut).toMatchObject({ pending: 1, behind: 1_099 });
    expect([cut.window.length, cut.audits.length]).toEqual([900, 900]);
    const whole = certifyingStream(samples, everything, "count-as-errors");
    expect(whole).toMatchObject({ pending: 1, behind: 0 });
    expect([whole.window.length, whole.audits.filter(({ final }) => !final).length]).toEqual([2_000, 1]);
  });
});
