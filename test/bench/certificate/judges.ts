/** Simulated judges: how likely an answer is wrong by its rank in confidence, so that the true error is known exactly. */

/** Error of the answer at rank q (0 the surest, 1 the least sure): `floor + rise · e^((q − 1) / width)`. */
export interface SimulatedJudge {
  readonly name: string;
  /** The error that its certificates shall bound. */
  readonly alpha: number;
  readonly floor: number;
  readonly rise: number;
  readonly width: number;
}

export const judges: readonly SimulatedJudge[] = [
  // 2.2 % at a coverage of 97 %, 3.5 % over all.
  { name: "narrow margin", alpha: 0.03, floor: 0.008, rise: 0.619, width: 0.0436 },
  // 0.4 % at 97 %.
  { name: "wide margin", alpha: 0.02, floor: 0.0017, rise: 0.5, width: 0.02 },
  // 5.05 % at 80 %: just too much for the main start.
  { name: "hard quarter", alpha: 0.05, floor: 0.005, rise: 0.925, width: 0.15 },
  // 3.05 % at every coverage: whatever is certified is a violation.
  { name: "ranks nothing", alpha: 0.03, floor: 0.0305, rise: 0, width: 1 },
];

/** Chance that the answer at rank q is wrong. */
export const errorAtRank = ({ floor, rise, width }: SimulatedJudge, q: number): number =>
  floor + rise * Math.exp((q - 1) / width);

/** True error among the surest answers, up to a share `coverage` of all. */
export const trueError = ({ floor, rise, width }: SimulatedJudge, coverage: number): number =>
  coverage <= 0
    ? 0
    : floor + (rise * width * (Math.exp((coverage - 1) / width) - Math.exp(-1 / width))) / coverage;
