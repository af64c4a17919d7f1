/** Answers every question of a set by a judge that has seen neither its votes nor those of its group. Called by guarantee.ts. */
import { applyCalibrator } from "@touchstone/core/domain/calibration/apply-calibrator";
import { fitFamily } from "@touchstone/core/domain/calibration/fit-family";
import type { Dice } from "../../../events/generate-demo/random.ts";
import type { Matrix } from "../../../infra/endpoints/baseline-judge/head.ts";
import { type Answer, trainJudge } from "./judge.ts";
import type { QuestionSet } from "./question-set.ts";

/** An answer with the calibrated probability that a person agrees with it. */
export interface Judged extends Pick<Answer, "agreement" | "error"> {
  readonly confidence: number;
}

/** The set is dealt into so many parts; while one is judged, the others are dealt again to fit the calibrator. */
const outerParts = 5;
const innerParts = 3;

/** In the order of the questions. Every part is judged once, by judge and calibrator of the others alone. */
export function crossFit(set: QuestionSet, likeness: Matrix, random: Dice): Judged[] {
  const { name, questions } = set;
  const judged = new Map<number, Judged>();
  for (const { part, others } of deal(set, [...questions.keys()], outerParts, random)) {
    const unseen = deal(set, others, innerParts, random).flatMap((inner) =>
      inner.part.map(trainJudge(set, likeness, inner.others, random)),
    );
    const { calibrator } = fitFamily(
      unseen.map(({ probability, agreement }) => ({
        probability,
        correct: agreement,
        weight: 1,
        task: name,
      })),
    );
    const answer = trainJudge(set, likeness, others, random);
    for (const at of part) {
      const { probability, agreement, error } = answer(at);
      judged.set(at, { confidence: applyCalibrator(calibrator, probability, name), agreement, error });
    }
  }
  return questions.map((_, at) => {
    const one = judged.get(at);
    if (!one) throw new Error(`${name}: question ${at} was in no part`);
    return one;
  });
}

interface Dealt {
  readonly part: readonly number[];
  /** All that are in another part. */
  readonly others: readonly number[];
}

/** Deals questions at random, a group as a whole. */
function deal({ questions }: QuestionSet, places: readonly number[], parts: number, random: Dice): Dealt[] {
  const groupOf = (at: number): string => questions[at]?.group ?? "";
  const groups = random.shuffle([...new Set(places.map(groupOf))]);
  const partOf = new Map(groups.map((group, at) => [group, at % parts]));
  return Array.from({ length: parts }, (_, part) => ({
    part: places.filter((at) => partOf.get(groupOf(at)) === part),
    others: places.filter((at) => partOf.get(groupOf(at)) !== part),
  }));
}
