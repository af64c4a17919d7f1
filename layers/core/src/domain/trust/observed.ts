/** A judged sample and what people said of it: the one thing that calibrations and certificates are made from. */
import type { Result } from "../../schema/result.ts";
import type { Verdict } from "../../schema/review.ts";
import type { Template } from "../../schema/template.ts";
import { isAudited } from "../decide/audit.ts";
import { agreesWithMachine } from "./machine-answer.ts";

/** The answers of one sample; the second is an adjudicator's, and stands. */
export interface HumanVerdicts {
  readonly first: Verdict | null;
  readonly adjudicated: Verdict | null;
}

export interface ObservedVeto {
  readonly criterion: string;
  /** Raw probability of the machine's verdict. */
  readonly raw: number | null;
  /** Whether the machine, and whether people saw a violation; null: nobody looked. */
  readonly flagged: boolean;
  readonly violated: boolean | null;
}

export interface Observed {
  readonly task: string;
  readonly sampleId: string;
  /** Alike for copies. */
  readonly likeness: string;
  readonly fingerprint: string;
  /** Of the answer as a whole; null where it has none, so that no threshold accepts it. */
  readonly raw: number | null;
  /** Whether the machine answered; else everybody of its kind goes to people. */
  readonly accepted: boolean;
  /** Whether the machine was right, by the first look and by the last; null: nobody looked. What cannot be compared is wrong. */
  readonly first: boolean | null;
  readonly final: boolean | null;
  /** Share of those who looked that agree with the machine. */
  readonly agreeing: number | null;
  readonly vetoes: readonly ObservedVeto[];
  readonly decidedAt: number;
}

/** Null where no judge was asked, so that nothing can be learned about one. */
export const observe = (
  result: Result,
  template: Pick<Template, "fields" | "rubric" | "grading">,
  { first, adjudicated }: HumanVerdicts,
): Observed | null => {
  if (result.usage.judgeCalls === 0 || result.fingerprint === null) return null;
  const looks = [first, adjudicated].flatMap((verdict) =>
    verdict ? [agreesWithMachine(template, result, verdict) ?? false] : [],
  );
  return {
    task: result.task,
    sampleId: result.sampleId,
    likeness: result.likeness ?? result.sampleId,
    fingerprint: result.fingerprint,
    raw: result.confidence?.raw ?? null,
    accepted: result.decision === "machine",
    first: looks[0] ?? null,
    final: looks.at(-1) ?? null,
    agreeing: looks.length === 0 ? null : looks.filter(Boolean).length / looks.length,
    vetoes: vetoesOf(result, template, adjudicated ?? first),
    decidedAt: result.decidedAt,
  };
};

/** In the random stream at that rate: a lower rate than the one it was drawn by is a part of it. */
export const isDrawn = ({ sampleId, task }: Observed, rate: number): boolean =>
  isAudited(sampleId, task, rate);

const vetoesOf = (
  result: Result,
  { rubric }: Pick<Template, "rubric">,
  verdict: Verdict | null,
): readonly ObservedVeto[] =>
  rubric.flatMap(({ id, kind, check }) => {
    const own = result.rubric?.criteria.find((one) => one.id === id);
    if (kind !== "veto" || check !== "llm" || !own || own.met === null) return [];
    const human = verdict?.rubric?.criteria.find((one) => one.id === id && one.by === "person");
    return [
      {
        criterion: id,
        raw: own.confidence,
        flagged: own.met === "Y",
        violated: human ? human.met === "Y" : null,
      },
    ];
  });
