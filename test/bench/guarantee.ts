/** Whether a certificate keeps its promise on people's votes: `npm run bench -- guarantee --data DIR`. */
import { parseArgs } from "node:util";
import { expectedCalibrationError } from "@touchstone/core/domain/calibration/reliability";
import { auroc } from "@touchstone/core/domain/calibration/risk-coverage";
import { dice } from "../../events/generate-demo/random.ts";
import { rounded } from "./figures.ts";
import { crossFit, type Judged } from "./guarantee/cross-fit.ts";
import { countDraws, type DrawCounts, type DrawOptions, mostCoverage } from "./guarantee/draws.ts";
import { likenessOf } from "./guarantee/likeness.ts";
import { llmbar } from "./guarantee/llmbar.ts";
import { pandalm } from "./guarantee/pandalm.ts";
import { questionSet } from "./guarantee/question-set.ts";
import { topicalChat } from "./guarantee/topical-chat.ts";
import type { VotedSet } from "./guarantee/voted-text.ts";

export const describe =
  "how often a certified threshold breaks its promise, on people's votes: --data DIR [--draws N] [--seed N] [--sets A,B]";

const sets: Readonly<Record<string, (dataDir: string) => Promise<VotedSet>>> = {
  pandalm: (dataDir) => pandalm(dataDir, { withRecorded: false }),
  "pandalm+gpt-3.5": (dataDir) => pandalm(dataDir, { withRecorded: true }),
  llmbar,
  "topical-chat/groundedness": (dataDir) => topicalChat(dataDir, "groundedness"),
  "topical-chat/understandability": (dataDir) => topicalChat(dataDir, "understandability"),
};
const alphas = [0.05, 0.1, 0.2] as const;
const delta = 0.05;
/** Ways of dealing a set into parts, so that no result hangs on one of them. */
const dealings = 3;

export const help = `Draws certifying labels at random, certifies a threshold with them at α and δ = ${delta}, and holds it against the votes.
  --data DIR      folder with pandalm/, llmbar/ and unieval/ (required)
  --draws N       draws for each set and alpha (200)
  --seed N        of everything that is drawn (1)
  --share X       of the set that a draw takes, without replacement (0.5)
  --sets A,B      of ${Object.keys(sets).join(", ")} (all)

What counts. The unit is the sample, right where the answer is that of most people.
  pandalm         three people, which of two answers is better; rows that most of them call a tie are left out, since the
                  judge must choose one
  pandalm+gpt-3.5 the same, and the judge is told what GPT-3.5 was recorded to answer, which has seen no vote
  llmbar          the authors' label, which of two outputs follows the instruction; every part in the folder
  topical-chat/…  three people, does the reply use the given facts, can it be understood. Of UniEval's other questions
                  only mean grades are known, from which no majority can be told

Who judges. The baseline judge's features, with more features of words, all of them and their scale from the texts alone;
over them the baseline's head, which learns what most people answered, and boosted trees, which learn the shares of the
votes. A set is dealt into five parts, whole groups (same instruction, same conversation) into one part. The judge of a
part learns from the other four; its calibrator is fitted to answers for those four, given by judges that had not seen them
either. So every sample is answered once, by a judge and a calibrator that have seen neither its votes nor those of its
group, and all confidences and errors stand before the first draw. What a draw takes of the set then decides alone whether a
threshold keeps its promise, and that is the chance which δ bounds. The set is dealt ${dealings} times; draws take turns.
Features, and the few constants of judge and plan, were chosen by hand with these sets in view, which may flatter coverage,
accuracy and auroc; the count of violations rests on the draw alone.

What is drawn. Half of the set, without replacement, which the exact bounds, made for endless traffic, are cautious about.
Fixed-sequence testing on a grid of 5 % steps, from two starts: the least coverages at which the drawn labels can bound the
error by alpha with two errors among them (70 % of δ), and with none.

Result, one row for each set and alpha:
  violations          draws whose certified threshold has more error than alpha on the whole set; at most δ · draws and
                      what a binomial adds by chance
  coverageMean        of the whole set, over all draws; a draw that certifies nothing counts as 0
  certified           draws that certified a threshold at all
  naiveViolations     the same for the lowest threshold whose drawn labels have no more error than alpha
  naiveCoverageMean   what that accepts
  coverageMost        what a threshold could accept at most with no more error than alpha, all votes known
  auroc               how the confidence ranks right above wrong, calibrated; mean of the dealings
  ece                 calibration error in ten bins against the shares of the votes; mean of the dealings
  accuracy, n         of the judge at full coverage, and the samples

Where coverage is 0, judge and labels are too weak for this alpha. At 5 %, 59 labels without one error are the least that
certify: of the half that is drawn, those above the threshold. Compare coverageMost, which needs no proof.`;

interface Row {
  readonly set: string;
  readonly alpha: number;
  readonly violations: number;
  readonly coverageMean: number;
  readonly naiveViolations: number;
  readonly auroc: number | null;
  readonly ece: number;
  readonly certified: number;
  readonly naiveCoverageMean: number;
  readonly coverageMost: number;
  readonly accuracy: number;
  readonly n: number;
}

export async function run(args: readonly string[]): Promise<{ draws: number; rows: Row[] }> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      draws: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      share: { type: "string", default: "0.5" },
      sets: { type: "string", default: Object.keys(sets).join(",") },
    },
  });
  if (values.data === undefined)
    throw new Error("guarantee needs --data DIR, the folder with pandalm/, llmbar/, unieval/");
  const [draws, seed] = [whole("draws", values.draws, 1), whole("seed", values.seed, 0)];
  const share = Number(values.share);
  if (!(share > 0 && share < 1)) throw new Error("--share must lie between 0 and 1");
  const rows: Row[] = [];
  console.error(heading);
  for (const name of values.sets.split(",")) {
    const load = Object.hasOwn(sets, name) ? sets[name] : undefined;
    if (!load) throw new Error(`--sets: there is no set "${name}", only ${Object.keys(sets).join(", ")}`);
    for (const row of rowsOf(await load(values.data), { draws, share }, seed)) {
      console.error(line(row));
      rows.push(row);
    }
  }
  return { draws, rows };
}

/** A set's rows hang on the seed alone, not on the sets before it. */
function rowsOf(voted: VotedSet, drawn: Pick<DrawOptions, "draws" | "share">, seed: number): Row[] {
  const set = questionSet(voted);
  const likeness = likenessOf(set);
  const random = dice(seed);
  const populations = Array.from({ length: Math.min(dealings, drawn.draws) }, () =>
    crossFit(set, likeness, random),
  );
  return alphas.map((alpha) => {
    const counts = countDraws(populations, { ...drawn, alpha, delta }, random);
    return rowOf(set.name, alpha, populations, counts);
  });
}

function rowOf(set: string, alpha: number, populations: readonly Judged[][], counts: DrawCounts): Row {
  const mean = (value: (population: readonly Judged[]) => number): number =>
    rounded(populations.reduce((sum, one) => sum + value(one), 0) / populations.length, 3);
  const rankings = populations.map((one) => auroc(against(one, ({ error }) => (error ? 0 : 1))));
  const known = rankings.filter((ranking) => ranking !== null);
  return {
    set,
    alpha,
    violations: counts.violations,
    coverageMean: rounded(counts.coverageMean, 3),
    naiveViolations: counts.naiveViolations,
    auroc: known.length === 0 ? null : rounded(known.reduce((sum, one) => sum + one, 0) / known.length, 3),
    ece: mean((one) => expectedCalibrationError(against(one, ({ agreement }) => agreement))),
    certified: counts.certified,
    naiveCoverageMean: rounded(counts.naiveCoverageMean, 3),
    coverageMost: mean((one) => mostCoverage(one, alpha)),
    accuracy: mean((one) => one.filter(({ error }) => !error).length / one.length),
    n: populations[0]?.length ?? 0,
  };
}

const against = (population: readonly Judged[], correct: (one: Judged) => number) =>
  population.map((one) => ({ probability: one.confidence, correct: correct(one), weight: 1 }));

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number from ${least} up`);
  return value;
}

const columns = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, at) => (at === 0 ? String(cell).padEnd(32) : String(cell).padStart(at < 6 ? 11 : 9)))
    .join("");
const heading = columns([
  ...["set", "alpha", "violations", "coverage", "certified", "at most"],
  ...["naive", "auroc", "ece", "accuracy", "n"],
]);
const line = (row: Row): string =>
  columns([
    ...[row.set, `${row.alpha * 100} %`, row.violations, row.coverageMean.toFixed(3), row.certified],
    ...[row.coverageMost.toFixed(3), row.naiveViolations, row.auroc?.toFixed(3) ?? "–"],
    ...[row.ece.toFixed(3), row.accuracy.toFixed(3), row.n],
  ]);
