/** The checks themselves: a run in which all is well has no findings, and each kind of damage is found and named. */
import type { Outcome } from "@touchstone/core/schema/outcome";
import { describe, expect, test } from "vitest";
import type { FileEvidence, LineResult } from "./evidence.ts";
import { makePlan, type PlannedLine } from "./plan.ts";
import { type Findings, judgeRun } from "./verdict.ts";

const plan = makePlan(1, 100);
const [file = ""] = plan.files.keys();
const outcomes = ["machine", "review", "invalid", "failed"] as const;

const resultOf = ({ expected }: PlannedLine): LineResult => ({
  decision: expected,
  reason: expected === "failed" ? "gave-up" : "",
  detail: "",
});
const countsOf = (lines: readonly PlannedLine[]): Record<string, number> =>
  Object.fromEntries(
    outcomes.map((outcome) => [outcome, lines.filter((line) => line.expected === outcome).length]),
  );

const evidenceOf = (lines: readonly PlannedLine[]): FileEvidence => ({
  decided: true,
  results: new Map(lines.map((line) => [line.line, [resultOf(line)]])),
  outcomes: lines.map(({ expected }) => expected),
  reviewed: lines.map(() => false),
  tallied: countsOf(lines),
  stated: countsOf(lines),
});

const all = countsOf(plan.lines);
const emf: Readonly<Record<string, number>> = {
  Samples: plan.lines.length,
  Machine: all.machine ?? 0,
  Review: all.review ?? 0,
  Invalid: all.invalid ?? 0,
  Failed: all.failed ?? 0,
  Reviewed: 0,
};
const sound: Findings = {
  plan,
  files: new Map([...plan.files].map(([name, lines]) => [name, evidenceOf(lines)])),
  reviews: plan.lines.flatMap((line) =>
    line.expected === "review"
      ? [{ id: `ok/${line.file}/samples.jsonl@v#1#0#${line.ordinal}#review`, done: false }]
      : [],
  ),
  answered: new Set(),
  emf: (metric) => emf[metric] ?? 0,
  bill: { judgeCalls: 90, judgeCallsInFlightAtKill: 0, judgeCallsForcedByFaults: 0, unexplained: [] },
  failedCalls: () => 3,
  killsByPoint: { "a point": 1 },
};

/** The sound run with one file's evidence changed. */
const withFile = (change: (evidence: FileEvidence) => Partial<FileEvidence>): Findings => {
  const evidence = sound.files.get(file);
  if (!evidence) throw new Error("the plan has no files");
  return { ...sound, files: new Map([...sound.files, [file, { ...evidence, ...change(evidence) }]]) };
};
const first = plan.files.get(file)?.[0];
const without = <Value>(map: ReadonlyMap<number, Value>, line: number): Map<number, Value> =>
  new Map([...map].filter(([at]) => at !== line));
const machine: LineResult = { decision: "machine", reason: "confident", detail: "" };

describe("a chaos run", () => {
  test("in which all is well", () => {
    expect(judgeRun(sound)).toMatchObject({
      samples: 100,
      decided: 100,
      lost: 0,
      doubleCounted: 0,
      duplicateReviewTasks: 0,
      emfDuplicated: 0,
      givenUpBeyondPlan: [],
      broken: [],
    });
  });

  test("may lose points of a metric", () => {
    expect(judgeRun({ ...sound, emf: () => 0 }).broken).toEqual([]);
  });

  const damage: readonly [string, Findings, Readonly<Record<string, number>>, RegExp][] = [
    [
      "a line without a result",
      withFile(({ results }) => ({ results: without(results, 1) })),
      { decided: 99, lost: 1 },
      /^lost: chaos-00, line 1$/,
    ],
    [
      "a line without a bit",
      withFile((evidence) => ({ outcomes: [null, ...evidence.outcomes.slice(1)] })),
      { decided: 99, lost: 1 },
      /^lost: chaos-00, line 1$/,
    ],
    [
      "a line that SWEEP gave up",
      withFile(({ results }) => ({
        results: new Map([...results, [1, [{ decision: "failed", reason: "lost", detail: "" }]]]),
      })),
      { lost: 1 },
      /^lost: chaos-00, line 1$/,
    ],
    [
      "two results of a line",
      withFile(({ results }) => ({ results: new Map([...results, [1, [machine, machine]]]) })),
      { doubleCounted: 1 },
      /twice in results.jsonl: chaos-00, line 1/,
    ],
    [
      "a tally beyond the bits",
      withFile(({ tallied }) => ({ tallied: { ...tallied, machine: (tallied.machine ?? 0) + 1 } })),
      { doubleCounted: 1 },
      /chaos-00: machine is tallied/,
    ],
    [
      "a summary beyond the bits",
      withFile(({ stated }) => ({ stated: { ...stated, review: (stated.review ?? 0) + 1 } })),
      { doubleCounted: 1 },
      /chaos-00: summary.json says/,
    ],
    [
      "a result that the plan did not expect",
      withFile(({ results, outcomes: bits }) => ({
        results: new Map([...results, [1, [{ ...machine, decision: "review" as Outcome }]]]),
        outcomes: ["review" as Outcome, ...bits.slice(1)],
      })),
      {},
      /chaos-00, line 1 is review \(confident\), expected machine/,
    ],
    [
      "a second task of a sample",
      { ...sound, reviews: [...sound.reviews, ...sound.reviews.slice(0, 1)] },
      { duplicateReviewTasks: 1 },
      /2 review tasks, 1 too many/,
    ],
    [
      "a task of a sample that is not in review",
      {
        ...sound,
        reviews: [
          ...sound.reviews,
          { id: `ok/${file}/samples.jsonl@v#1#0#${first?.ordinal}#review`, done: false },
        ],
      },
      { duplicateReviewTasks: 1 },
      /chaos-00#0: 1 review tasks, 1 too many/,
    ],
    [
      "a review without a task",
      { ...sound, reviews: sound.reviews.slice(1) },
      {},
      /in review, and no task for it/,
    ],
    [
      "a verdict that the ledger has not heard of",
      { ...sound, answered: new Set([`ok/${file}/samples.jsonl@v#1#0#3#review`]) },
      {},
      /1 verdicts were accepted, the ledger has 0/,
    ],
    [
      "a metric that was published twice",
      { ...sound, emf: (metric) => (metric === "Samples" ? 103 : 0) },
      { emfDuplicated: 3 },
      /EMF: Samples adds up to 103/,
    ],
    [
      "a call that was paid for nothing",
      { ...sound, bill: { ...sound.bill, unexplained: ["chaos-00-1, call 1 of 2"] } },
      {},
      /paid for nothing: chaos-00-1/,
    ],
    [
      "a sample given up too early",
      { ...sound, failedCalls: () => 2 },
      {},
      /fewer than 3 of its calls failed/,
    ],
    [
      "a point that was never reached",
      { ...sound, killsByPoint: { "a point": 0 } },
      {},
      /killed at "a point"/,
    ],
  ];
  test.each(damage)("with %s", (_, findings, numbers, words) => {
    const judged = judgeRun(findings);
    expect(judged).toMatchObject(numbers);
    expect(
      judged.broken.some((line) => words.test(line)),
      judged.broken.join("\n"),
    ).toBe(true);
  });
});
