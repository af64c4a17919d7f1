/** The judge of the guarantee bench: the baseline judge's head beside boosted trees, over the same features. */
import type { Dice } from "../../../events/generate-demo/random.ts";
import { fitHead, type Matrix } from "../../../infra/endpoints/baseline-judge/head.ts";
import { fitTrees } from "./boosted-trees.ts";
import type { Question, QuestionSet } from "./question-set.ts";

/** An answer to one question, held against its votes. */
export interface Answer {
  /** The judge's own, of the answer it gives. */
  readonly probability: number;
  /** Share of people who agree with it. */
  readonly agreement: number;
  /** Most people do not. */
  readonly error: boolean;
}

const ridge = 1;

/** Learns from the questions at these places; answers any. Its score is the mean of two log odds. */
export function trainJudge(
  { questions, kind }: QuestionSet,
  likeness: Matrix,
  learnt: readonly number[],
  random: Dice,
): (at: number) => Answer {
  const known = learnt.flatMap((at) => questions[at] ?? []);
  const head = headScore(likeness, learnt, known);
  const trees = treeScore(known, kind === "which-of-two", random);
  return (at) => {
    const question = questions[at];
    if (!question) throw new RangeError(`there is no question ${at}`);
    const score = (head(at) + trees(question)) / 2;
    const choice = score >= 0 ? 0 : 1;
    return {
      probability: 1 / (1 + Math.exp(-Math.abs(score))),
      agreement: question.votes[choice],
      error: question.truth !== choice,
    };
  };
}

/** Learns the answer of most people. */
function headScore(
  { columns, cells }: Matrix,
  learnt: readonly number[],
  known: readonly Question[],
): (at: number) => number {
  const n = learnt.length;
  const kernel = new Float64Array(n * n);
  for (const [row, at] of learnt.entries()) {
    for (const [column, other] of learnt.entries())
      kernel[row * n + column] = cells[at * columns + other] ?? 0;
  }
  const { alphas } = fitHead({
    kernel: { columns: n, cells: kernel },
    toSample: new Float64Array(n),
    classes: known.map(({ truth }) => truth),
    priors: { columns: 2, cells: new Float64Array(2 * n) },
    samplePrior: new Float64Array(2),
    ridge,
  });
  const weights = learnt.map((_, row) => (alphas.cells[2 * row] ?? 0) - (alphas.cells[2 * row + 1] ?? 0));
  return (at) =>
    learnt.reduce((sum, other, row) => sum + (weights[row] ?? 0) * (cells[at * columns + other] ?? 0), 0);
}

/** Learns the shares of the votes. Pairs are learnt both ways round, so that the order of outputs cannot matter. */
function treeScore(
  known: readonly Question[],
  isPair: boolean,
  random: Dice,
): (question: Question) => number {
  const rows = known.map(rowOf);
  const targets = known.map(({ votes: [first, second] }) => first / (first + second));
  const mirrored = isPair ? rows.map(mirror) : [];
  const score = fitTrees(
    [...rows, ...mirrored],
    [...targets, ...mirrored.map((_, at) => 1 - (targets[at] ?? 0))],
    random,
  );
  return (question) => {
    const row = rowOf(question);
    return isPair ? (score(row) - score(mirror(row))) / 2 : score(row);
  };
}

const rowOf = ({ features, hint }: Question): number[] => [...features, hint];
const mirror = (row: readonly number[]): number[] => row.map((value) => -value);
