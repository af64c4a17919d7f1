/** The lines of a batch's result files, and the summary that is written last. */
import type { StoredSample } from "../../ports.ts";
import type { BatchRecord } from "../../schema/ledger.ts";
import type { Result } from "../../schema/result.ts";
import type { RubricResult } from "../../schema/rubric.ts";
import { gradeLabel } from "../../schema/rubric-links.ts";
import type { FieldValue } from "../../schema/sample.ts";
import type { ResultTallies } from "../../schema/tallies.ts";
import { reasonText } from "../decide/reason-text.ts";
import { machineReviewRate } from "../ledger/batch.ts";
import { addCounts, type LedgerCounts, noCounts } from "../ledger/split.ts";
import { coverageOf, coverageSummary } from "./coverage.ts";

/** Folder of a run's result files in the results bucket. */
export const resultFolder = (batch: Pick<BatchRecord, "batch" | "run">): string =>
  `results/${batch.batch}/run-${batch.run}/`;

const part = (split: number): string => String(split).padStart(5, "0");

/**
 * Keys of a split's part files, apart for a split that is merely decided: a slow writer of that state can then never
 * overwrite the verdicts of the final one.
 */
export const partKeys = (
  batch: Pick<BatchRecord, "batch" | "run">,
  split: number,
  state: "decided" | "final",
): { readonly results: string; readonly errors: string; readonly tallies: string } => {
  const folder = `${resultFolder(batch)}parts/${state}/`;
  return {
    results: `${folder}results-${part(split)}.jsonl`,
    errors: `${folder}errors-${part(split)}.jsonl`,
    tallies: `${folder}tallies-${part(split)}.json`,
  };
};

/** Splits whose files SETTLE joins: 400,000 samples, under a gigabyte. More would not be copied within its time. */
export const maxJoinedSplits = 100;

export interface FileNames {
  readonly results: readonly string[];
  readonly errors: readonly string[];
}

/** Of a batch's part files in the order of its source, below its result folder. */
export const partNames = (batch: BatchRecord): FileNames => {
  const folder = resultFolder(batch).length;
  const keys = Array.from({ length: batch.sealed?.splits ?? 0 }, (_, index) =>
    partKeys(batch, index, batch.finalSplits.has(index) ? "final" : "decided"),
  );
  return {
    results: keys.map((part) => part.results.slice(folder)),
    errors: keys.map((part) => part.errors.slice(folder)),
  };
};

/** What the summary names: one file each, or for a large batch the parts themselves, to be read one after the other. */
export const fileNames = (batch: BatchRecord): FileNames =>
  (batch.sealed?.splits ?? 0) <= maxJoinedSplits
    ? { results: ["results.jsonl"], errors: ["errors.jsonl"] }
    : partNames(batch);

/** The rubric that stands: scored with a person's answers where there are any. */
export const standingRubric = ({ result, verdict }: StoredSample): RubricResult | undefined =>
  verdict?.rubric ?? result?.rubric;

/**
 * The answers that stand: the machine's, and a person's over them, with the rubric's grade. Undecided fields are
 * absent; criteria stand in the rubric.
 */
export const standingValues = (stored: StoredSample): Record<string, FieldValue> => {
  const { result, verdict } = stored;
  const rubric = standingRubric(stored);
  const isCriterion = (id: string): boolean => rubric?.criteria.some((one) => one.id === id) ?? false;
  return {
    ...Object.fromEntries(
      (result?.fields ?? []).flatMap(({ id, value }) => (value === null ? [] : [[id, value]])),
    ),
    ...Object.fromEntries(Object.entries(verdict?.values ?? {}).filter(([id]) => !isCriterion(id))),
    ...(rubric && rubric.grade !== null ? { [gradeLabel]: rubric.grade } : {}),
  };
};

/** One line of `results.jsonl`: the stored result, the answers that stand, and the verdict if there is one. */
export const resultLine = (stored: StoredSample): string =>
  JSON.stringify({
    ...stored.result,
    values: standingValues(stored),
    ...(stored.verdict?.rubric ? { rubric: stored.verdict.rubric } : {}),
    ...(stored.verdict ? { verdict: stored.verdict } : {}),
  });

/** One line of `errors.jsonl`; null for a sample that is neither invalid nor failed. */
export const errorLine = (result: Result, file: string): string | null => {
  if (result.decision !== "invalid" && result.decision !== "failed") return null;
  const reason = result.reasons[0];
  return JSON.stringify({
    file,
    line: result.line,
    id: result.sampleId,
    outcome: result.decision,
    code: reason?.code,
    field: reason?.field ?? "",
    message: reason?.detail ?? (reason ? reasonText(reason, "en") : ""),
  });
};

/** Tallies of nothing, to add to. */
export const emptyTallies = (): ResultTallies => ({
  counts: noCounts(),
  reasons: {},
  labelled: 0,
  agreed: 0,
  format: { answers: 0, kept: 0, broken: {} },
  coverage: { certified: 0, audits: 0, lost: {} },
  judgeCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
});

/** The sum of two parts of a batch; order does not matter. */
export const addTallies = (left: ResultTallies, right: ResultTallies): ResultTallies => ({
  counts: addCounts(left.counts, right.counts),
  reasons: addNumbers(left.reasons, right.reasons),
  labelled: left.labelled + right.labelled,
  agreed: left.agreed + right.agreed,
  format: {
    answers: left.format.answers + right.format.answers,
    kept: left.format.kept + right.format.kept,
    broken: addNumbers(left.format.broken, right.format.broken),
  },
  coverage: {
    certified: left.coverage.certified + right.coverage.certified,
    audits: left.coverage.audits + right.coverage.audits,
    lost: addNumbers(left.coverage.lost, right.coverage.lost),
  },
  judgeCalls: left.judgeCalls + right.judgeCalls,
  promptTokens: left.promptTokens + right.promptTokens,
  completionTokens: left.completionTokens + right.completionTokens,
});

/** Tallies of one split: counts from the ledger, the rest from the results. */
export const tallyResults = (counts: LedgerCounts, results: readonly Result[]): ResultTallies => {
  let tallies: ResultTallies = { ...emptyTallies(), counts };
  for (const result of results) {
    const compared = result.decision === "machine" ? Object.values(result.agrees ?? {}) : [];
    tallies = addTallies(tallies, {
      ...emptyTallies(),
      reasons: Object.fromEntries(
        [...new Set(result.reasons.map((reason) => `${result.decision}/${reason.code}`))].map((name) => [
          name,
          1,
        ]),
      ),
      labelled: compared.length > 0 ? 1 : 0,
      agreed: compared.length > 0 && compared.every(Boolean) ? 1 : 0,
      format: formatOf(result),
      coverage: coverageOf(result),
      judgeCalls: result.usage.judgeCalls,
      promptTokens: result.usage.promptTokens,
      completionTokens: result.usage.completionTokens,
    });
  }
  return tallies;
};

/** What a result adds to how well the judge keeps the form; without an answer, or with a refusal, nothing. */
export const formatOf = ({ usage, reasons, format }: Result): ResultTallies["format"] => {
  const isSilent = usage.judgeCalls === 0 || reasons.some(({ code }) => code === "answer-refused");
  if (isSilent && format === undefined) return emptyTallies().format;
  const broken = Object.fromEntries((format ?? []).map((rule) => [rule, 1]));
  return { answers: 1, kept: format === undefined ? 1 : 0, broken };
};

/** How well the judge keeps the form it is asked for; null where it never answered. */
const formatSummary = ({ answers, kept, broken }: ResultTallies["format"]) =>
  answers === 0 ? null : { answers, kept, rate: kept / answers, broken };

const addNumbers = (
  left: Readonly<Record<string, number>>,
  right: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum: Record<string, number> = { ...left };
  for (const [name, value] of Object.entries(right)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
};

/** `summary.json`: when it stands, the batch's files are whole. */
export const summarise = (
  batch: BatchRecord,
  tallies: ResultTallies,
  revision: number,
  state: "decided" | "final",
  at: number,
): Record<string, unknown> => ({
  schema: 1,
  batch: batch.batch,
  run: batch.run,
  task: batch.task,
  source: batch.source,
  state,
  revision,
  writtenAt: new Date(at).toISOString(),
  ...(batch.fault === undefined ? {} : { fault: batch.fault }),
  counts: tallies.counts,
  machineReviewRate: machineReviewRate(tallies.counts),
  coverage: coverageSummary(tallies),
  agreement:
    tallies.labelled > 0
      ? { labelled: tallies.labelled, agreed: tallies.agreed, rate: tallies.agreed / tallies.labelled }
      : null,
  reasons: tallies.reasons,
  format: formatSummary(tallies.format),
  usage: {
    judgeCalls: tallies.judgeCalls,
    promptTokens: tallies.promptTokens,
    completionTokens: tallies.completionTokens,
  },
  files: fileNames(batch),
});
