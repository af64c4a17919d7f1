/** That the guarantee bench counts what it says, and that its judge sees no vote it must not see. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dice } from "../../../events/generate-demo/random.ts";
import { crossFit } from "./cross-fit.ts";
import { countDraws, mostCoverage, naiveThreshold, worthOf } from "./draws.ts";
import { trainJudge } from "./judge.ts";
import { likenessOf } from "./likeness.ts";
import { pandalm } from "./pandalm.ts";
import { planFor } from "./plan.ts";
import type { Question, QuestionSet } from "./question-set.ts";

interface Answered {
  readonly confidence: number;
  readonly error: boolean;
}

/** Answers whose chance of error is told by their confidence, as `errorAt` says. */
function answered(n: number, errorAt: (confidence: number) => number, seed = 5): Answered[] {
  const random = dice(seed);
  return Array.from({ length: n }, () => {
    const confidence = random.below(1000) / 1000;
    return { confidence, error: random.below(1000) / 1000 < errorAt(confidence) };
  });
}

const right = (confidence: number): Answered => ({ confidence, error: false });
const wrong = (confidence: number): Answered => ({ confidence, error: true });

describe("what a threshold is worth", () => {
  const whole = [right(0.9), right(0.8), wrong(0.7), right(0.7), wrong(0.2)];

  test("coverage and error of all answers from it up, ties included", () => {
    expect(worthOf(whole, 0.7)).toEqual({ coverage: 0.8, error: 0.25 });
    expect(worthOf(whole, 0.95)).toEqual({ coverage: 0, error: 0 });
    expect(worthOf(whole, undefined)).toEqual({ coverage: 0, error: 0 });
  });

  test("the naive threshold is the lowest whose labels are good enough, though a higher one is not", () => {
    expect(naiveThreshold(whole, 0.25)).toBe(0.7);
    expect(naiveThreshold(whole, 0.2)).toBe(0.8);
    expect(naiveThreshold([wrong(0.9), right(0.8), right(0.7), right(0.6)], 0.25)).toBe(0.6);
    expect(naiveThreshold([wrong(0.9), wrong(0.8)], 0.2)).toBeUndefined();
    expect(mostCoverage(whole, 0.25)).toBe(0.8);
  });
});

describe("counting draws", () => {
  const options = { draws: 100, share: 0.5, delta: 0.05 };

  test("every threshold with too much error on the whole set is a violation", () => {
    // One confidence for all: whoever certifies anything accepts all, with an error of 12 %.
    const whole = Array.from({ length: 1000 }, (_, at) => ({ confidence: 0.9, error: at % 25 < 3 }));
    const counts = countDraws([whole], { ...options, alpha: 0.1, delta: 0.9 }, dice(1));
    expect(counts.violations).toBeGreaterThan(0);
    expect(counts.certified).toBe(counts.violations);
    expect(counts.coverageMean).toBeCloseTo(counts.violations / options.draws, 12);
    const honest = countDraws([whole], { ...options, alpha: 0.13, delta: 0.9 }, dice(1));
    expect(honest.certified).toBeGreaterThan(counts.certified);
    expect(honest.violations).toBe(0);
  });

  test("a judge without skill gets no coverage and breaks no promise, whatever chance shows the naive", () => {
    const whole = answered(600, () => 0.5);
    for (const alpha of [0.05, 0.1, 0.2]) {
      const counts = countDraws([whole], { ...options, alpha }, dice(2));
      expect(counts).toMatchObject({ violations: 0, coverageMean: 0, certified: 0 });
    }
    expect(countDraws([whole], { ...options, alpha: 0.2 }, dice(2)).naiveViolations).toBeGreaterThan(0);
  });

  test("a judge with skill gets coverage within its promise, where the naive breaks it in every other draw", () => {
    const whole = answered(900, (confidence) => 0.5 * (1 - confidence) ** 2);
    const counts = countDraws([whole], { ...options, alpha: 0.1 }, dice(3));
    expect(counts.coverageMean).toBeGreaterThan(0.2);
    expect(counts.coverageMean).toBeLessThan(mostCoverage(whole, 0.1));
    // Five expected at most, and three deviations of a binomial.
    expect(counts.violations).toBeLessThanOrEqual(11);
    expect(counts.naiveViolations).toBeGreaterThan(20);
  });

  test("draws take turns among the populations, and the seed decides them", () => {
    const populations = [answered(200, () => 0), answered(200, () => 1)];
    const counts = countDraws(populations, { ...options, alpha: 0.1 }, dice(4));
    expect(counts).toMatchObject({ certified: 50, violations: 0, coverageMean: 0.5 });
    expect(countDraws(populations, { ...options, alpha: 0.1 }, dice(4))).toEqual(counts);
  });
});

test("sequences start where the labels can prove alpha, and use no more than delta", () => {
  // At 70 % and 30 % of 5 %: 69 labels with two errors, 40 with none.
  const { starts } = planFor(0.1, 0.05, 200);
  expect(starts).toEqual([
    { coverage: 0.35, share: 0.7 },
    { coverage: 0.2, share: 0.3 },
  ]);
  expect(planFor(0.05, 0.05, 20).starts.map(({ coverage }) => coverage)).toEqual([1, 1]);
});

describe("the judge", () => {
  /** Groups of four with the same features and the same answer, which nothing outside the group tells. */
  function riddles(): QuestionSet {
    const random = dice(6);
    const questions = Array.from({ length: 30 }, (_, group) => {
      const truth = group % 2 === 0 ? 0 : 1;
      const features = Array.from({ length: 6 }, () => random.below(1000) / 1000);
      const question: Question = {
        ...{ group: `group ${group}`, truth, features, hint: 0 },
        votes: truth === 0 ? [1, 0] : [0, 1],
      };
      return [question, question, question, question];
    }).flat();
    return { name: "riddles", kind: "yes-or-no", questions };
  }

  test("knows what it has learnt, and cannot guess what only the rest of a group would tell", () => {
    const set = riddles();
    const likeness = likenessOf(set);
    const all = [...set.questions.keys()];
    const wrongOf = (answers: readonly { readonly error: boolean }[]): number =>
      answers.filter(({ error }) => error).length / answers.length;
    const seen = all.map(trainJudge(set, likeness, all, dice(7)));
    const unseen = crossFit(set, likeness, dice(7));
    expect(unseen).toHaveLength(set.questions.length);
    expect(wrongOf(seen)).toBeLessThan(0.2);
    expect(wrongOf(unseen)).toBeGreaterThan(0.35);
  });

  test("is as sure of a pair as of its mirror image, and takes the other side", () => {
    const pairs = riddles().questions.map((question, at) => ({ ...question, hint: at % 2 === 0 ? 1 : -1 }));
    const mirrored = pairs.map(({ features, hint, ...rest }) => ({
      ...rest,
      features: features.map((value) => -value),
      hint: -hint,
    }));
    const set: QuestionSet = { name: "pairs", kind: "which-of-two", questions: [...pairs, ...mirrored] };
    const answer = trainJudge(set, likenessOf(set), [...pairs.keys()], dice(8));
    for (const at of pairs.keys()) {
      const [one, other] = [answer(at), answer(at + pairs.length)];
      expect(other.probability).toBeCloseTo(one.probability, 9);
      expect(other.error).toBe(!one.error);
    }
  });
});

test("PandaLM's votes: the majority is the truth, ties are left out, the recorded answer is a hint", async () => {
  const dir = await mkdtemp(join(tmpdir(), "touchstone-guarantee-"));
  try {
    await mkdir(join(dir, "pandalm"));
    const row = (idx: number, votes: readonly number[], response1: string | boolean = "a") => ({
      ...{ idx, instruction: "i", input: "", response1, response2: "b" },
      ...{ annotator1: votes[0], annotator2: votes[1], annotator3: votes[2] },
    });
    const rows = [row(0, [1, 2, 1]), row(1, [0, 0, 1]), row(2, [0, 2, 2], true)];
    await writeFile(join(dir, "pandalm/testset-v1.json"), JSON.stringify(rows));
    const recorded = rows.map(({ idx }) => ({ idx, gpt_result: idx === 2 ? "2" : "tie" }));
    await writeFile(join(dir, "pandalm/gpt-3.5-turbo-testset-v1.json"), JSON.stringify(recorded));
    const { texts } = await pandalm(dir, { withRecorded: true });
    expect(texts.map(({ votes, truth, hint, outputs }) => ({ votes, truth, hint, outputs }))).toEqual([
      { votes: [2 / 3, 1 / 3], truth: 0, hint: 0, outputs: ["a", "b"] },
      { votes: [0, 2 / 3], truth: 1, hint: -1, outputs: ["true", "b"] },
    ]);
    await writeFile(join(dir, "pandalm/testset-v1.json"), JSON.stringify([{ ...rows[0], annotator2: 4 }]));
    await expect(pandalm(dir, { withRecorded: false })).rejects.toThrow(/testset-v1\.json.*annotator2/s);
  } finally {
    await rm(dir, { recursive: true });
  }
});
