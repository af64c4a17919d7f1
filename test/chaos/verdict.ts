/** Turns the evidence into the numbers of a chaos run and into a list of what is broken, with what and where. */
import type { Outcome } from "@touchstone/core/schema/outcome";
import { maxAttempts } from "@touchstone/core/timing";
import type { FileEvidence, ReviewRow } from "./evidence.ts";
import type { JudgeBill } from "./judge-bill.ts";
import type { ChaosPlan, PlannedLine } from "./plan.ts";

export interface Findings {
  readonly plan: ChaosPlan;
  readonly files: ReadonlyMap<string, FileEvidence>;
  readonly reviews: readonly ReviewRow[];
  /** Reviews whose verdict the API accepted. */
  readonly answered: ReadonlySet<string>;
  /** Sum of an EMF metric without dimensions. */
  readonly emf: (metric: string) => number;
  readonly bill: JudgeBill;
  /** Calls about a sample that the judge failed, or whose caller went away. */
  readonly failedCalls: (sample: string) => number;
  readonly killsByPoint: Readonly<Record<string, number>>;
}

export interface ChaosNumbers {
  readonly samples: number;
  readonly decided: number;
  readonly lost: number;
  readonly doubleCounted: number;
  readonly judgeCalls: number;
  readonly judgeCallsInFlightAtKill: number;
  readonly judgeCallsForcedByFaults: number;
  readonly duplicateReviewTasks: number;
  readonly emfDuplicated: number;
  readonly killsByPoint: Readonly<Record<string, number>>;
  /** Samples that were given up though the judge would have answered, with the reason: an overloaded machine's time-outs. */
  readonly givenUpBeyondPlan: readonly string[];
  readonly broken: readonly string[];
}

const metrics: Readonly<Record<string, readonly Outcome[]>> = {
  Samples: ["machine", "review", "invalid", "failed"],
  Machine: ["machine"],
  Review: ["review"],
  Invalid: ["invalid"],
  Failed: ["failed"],
};

export const judgeRun = (findings: Findings): ChaosNumbers => {
  const { plan, bill, killsByPoint } = findings;
  const broken: string[] = [];
  const lines = plan.lines.map((line) => ({ line, ...fateOf(line, findings) }));
  const decided = lines.filter(({ results, bit }) => results.length > 0 && bit !== null).length;
  const lost = lines.filter(({ results, bit }) => results.length === 0 || bit === null);
  const givenUp = lines.filter(({ results }) => results.some(({ reason }) => reason === "lost"));
  const doubled = lines.filter(({ results }) => results.length > 1);
  broken.push(...[...lost, ...givenUp].map(({ line }) => `lost: ${placeOf(line)}`));
  broken.push(...doubled.map(({ line }) => `twice in results.jsonl: ${placeOf(line)}`));
  for (const { line, results, bit } of lines) {
    const [result] = results;
    if (result && bit !== result.decision)
      broken.push(`${placeOf(line)} is ${result.decision} in results.jsonl and ${bit} in the ledger`);
    if (result && isGivenUp(result) && findings.failedCalls(line.sample ?? "") < maxAttempts)
      broken.push(
        `${placeOf(line)} was given up (${result.detail}), and fewer than ${maxAttempts} of its calls failed`,
      );
    if (result && result.decision !== line.expected && !isGivenUp(result))
      broken.push(`${placeOf(line)} is ${result.decision} (${result.reason}), expected ${line.expected}`);
  }
  const overcounted = overcount(findings, broken);
  const duplicateReviewTasks = duplicateTasks(findings, broken);
  const emfDuplicated = overpublished(findings, broken);
  broken.push(...bill.unexplained.map((call) => `paid for nothing: ${call}`));
  const allowed = plan.lines.length + bill.judgeCallsInFlightAtKill + bill.judgeCallsForcedByFaults;
  if (bill.judgeCalls > allowed) broken.push(`${bill.judgeCalls} calls of the judge, ${allowed} are allowed`);
  for (const [point, kills] of Object.entries(killsByPoint))
    if (kills === 0) broken.push(`no function was killed at "${point}"`);
  return {
    samples: plan.lines.length,
    decided,
    lost: lost.length + givenUp.length,
    doubleCounted: doubled.length + overcounted,
    judgeCalls: bill.judgeCalls,
    judgeCallsInFlightAtKill: bill.judgeCallsInFlightAtKill,
    judgeCallsForcedByFaults: bill.judgeCallsForcedByFaults,
    duplicateReviewTasks,
    emfDuplicated,
    killsByPoint,
    givenUpBeyondPlan: lines.flatMap(({ line, results }) =>
      line.expected === "failed"
        ? []
        : results.filter(isGivenUp).map(({ detail }) => `${placeOf(line)}: ${detail}`),
    ),
    broken,
  };
};

/** A judge that the machine is too busy to hear in time may use up the attempts of a sample. */
const isGivenUp = ({ decision, reason }: { readonly decision: Outcome; readonly reason: string }): boolean =>
  decision === "failed" && reason === "gave-up";

const fateOf = ({ file, line, ordinal }: PlannedLine, { files }: Findings) => {
  const evidence = files.get(file);
  return { results: evidence?.results.get(line) ?? [], bit: evidence?.outcomes[ordinal] ?? null };
};

/** What the ledger tallied, and what `summary.json` says, beyond what the ledger's bits hold. */
const overcount = ({ files, answered, plan }: Findings, broken: string[]): number => {
  let over = 0;
  for (const [file, { outcomes, reviewed, tallied, stated, results }] of files) {
    const planned = plan.files.get(file)?.length ?? 0;
    const strays = [...results.keys()].filter((line) => line > planned);
    if (strays.length > 0)
      broken.push(`${file}: results for lines that were never submitted: ${strays.join(", ")}`);
    const verdicts = reviewed.filter(Boolean).length;
    const given = [...answered].filter((id) => id.includes(`/${file}/`)).length;
    if (verdicts !== given)
      broken.push(`${file}: ${given} verdicts were accepted, the ledger has ${verdicts}`);
    const bits: Record<string, number> = { reviewed: verdicts };
    for (const outcome of outcomes) if (outcome !== null) bits[outcome] = (bits[outcome] ?? 0) + 1;
    for (const event of ["machine", "review", "invalid", "failed", "reviewed"]) {
      const counted = bits[event] ?? 0;
      const tally = tallied[event] ?? 0;
      if (tally !== counted)
        broken.push(`${file}: ${event} is tallied ${tally} times, its bits are ${counted}`);
      over += Math.max(0, tally - counted);
      // Verdicts may come after the files were written.
      const said = event === "reviewed" ? counted : (stated[event] ?? 0);
      if (said !== counted)
        broken.push(`${file}: summary.json says ${said} ${event}, the bits are ${counted}`);
      over += Math.max(0, said - counted);
    }
    over += strays.length;
  }
  return over;
};

/** How far a metric adds up to more than the ledger's bits; a crash may lose a point, never repeat one. */
const overpublished = (findings: Findings, broken: string[]): number => {
  const bits = findings.plan.lines.flatMap((line) => fateOf(line, findings).bit ?? []);
  const counts = new Map(
    Object.entries(metrics).map(([metric, outcomes]) => [
      metric,
      bits.filter((bit) => outcomes.includes(bit)).length,
    ]),
  );
  counts.set(
    "Reviewed",
    [...findings.files.values()].flatMap(({ reviewed }) => reviewed.filter(Boolean)).length,
  );
  let most = 0;
  for (const [metric, counted] of counts) {
    const over = Math.max(0, findings.emf(metric) - counted);
    if (over > 0) broken.push(`EMF: ${metric} adds up to ${counted + over}, the ledger's bits to ${counted}`);
    most = Math.max(most, over);
  }
  return most;
};

/** More than one task for a sample, or a task for a sample that no person was to look at. */
const duplicateTasks = (findings: Findings, broken: string[]): number => {
  const wanted = new Set<string>();
  for (const line of findings.plan.lines)
    if (fateOf(line, findings).bit === "review") wanted.add(`${line.file}#${line.ordinal}`);
  const rows = Map.groupBy(findings.reviews, ({ id }) => {
    const [batch = "", , , ordinal = ""] = id.split("#");
    return `${batch.split("/")[1] ?? ""}#${ordinal}`;
  });
  let extra = 0;
  for (const [sample, tasks] of rows) {
    const over = tasks.length - (wanted.has(sample) ? 1 : 0);
    if (over > 0) broken.push(`${sample}: ${tasks.length} review tasks, ${over} too many`);
    extra += over;
  }
  for (const sample of wanted) if (!rows.has(sample)) broken.push(`${sample}: in review, and no task for it`);
  return extra;
};

const placeOf = ({ file, line }: PlannedLine): string => `${file}, line ${line}`;
