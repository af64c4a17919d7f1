/** What the three ways of asking came to; used by the decoupling bench. */
import { wilsonInterval } from "@touchstone/core/domain/certificate/bounds";
import { mcnemarP } from "@touchstone/core/domain/watch/mcnemar";
import { rounded } from "../figures.ts";
import { type Arm, arms } from "./arms.ts";
import type { PictureQuestion } from "./question.ts";

export interface Asked {
  readonly question: Pick<PictureQuestion, "category" | "figure" | "pair" | "truth">;
  /** Null: no answer that can be read, which counts as wrong. */
  readonly said: Readonly<Record<Arm, boolean | null>>;
}

const isRight = ({ question, said }: Asked, arm: Arm): boolean => said[arm] === question.truth;

const accuracy = (asked: readonly Asked[], arm: Arm): number | null =>
  asked.length === 0 ? null : rounded(asked.filter((one) => isRight(one, arm)).length / asked.length, 4);

/** Share of groups of which every question was answered rightly. */
const wholeGroups = (asked: readonly Asked[], arm: Arm, by: (one: Asked) => string): number | null => {
  const groups = [...Map.groupBy(asked, by).values()];
  const whole = groups.filter((group) => group.every((one) => isRight(one, arm))).length;
  return groups.length === 0 ? null : rounded(whole / groups.length, 4);
};

const armFigures = (asked: readonly Asked[], arm: Arm) => {
  const right = asked.filter((one) => isRight(one, arm)).length;
  const paired = asked.filter(({ question }) => question.pair !== null);
  const categories = Map.groupBy(asked, ({ question }) => question.category);
  return {
    accuracy: accuracy(asked, arm),
    interval: wilsonInterval(right, asked.length).map((bound) => rounded(bound, 4)),
    figureAccuracy: wholeGroups(asked, arm, ({ question }) => question.figure),
    pairAccuracy: wholeGroups(paired, arm, ({ question }) => question.pair ?? ""),
    yesShare: rounded(asked.filter(({ said }) => said[arm] === true).length / asked.length, 4),
    unanswered: asked.filter(({ said }) => said[arm] === null).length,
    byCategory: Object.fromEntries([...categories].map(([name, members]) => [name, accuracy(members, arm)])),
  };
};

/** What `to` answers better and worse than `from`, question by question; `p` is McNemar's, exact, two-sided. */
const change = (asked: readonly Asked[], from: Arm, to: Arm) => {
  const mended = asked.filter((one) => !isRight(one, from) && isRight(one, to)).length;
  const broke = asked.filter((one) => isRight(one, from) && !isRight(one, to)).length;
  return {
    points: rounded(((mended - broke) / asked.length) * 100, 2),
    mended,
    broke,
    p: rounded(mcnemarP(broke, mended), 4),
  };
};

/** Throws on no question. */
export const decouplingFigures = (asked: readonly Asked[]) => {
  if (asked.length === 0) throw new Error("no question was asked");
  return {
    questions: asked.length,
    yesTruth: rounded(asked.filter(({ question }) => question.truth).length / asked.length, 4),
    arms: Object.fromEntries(arms.map((arm) => [arm, armFigures(asked, arm)])),
    gain: { bothOverImage: change(asked, "image", "both"), bothOverGist: change(asked, "gist", "both") },
  };
};
