/** Words for a rubric in a result; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { CriterionCode, CriterionResult, EvidenceState } from "@touchstone/core/schema/rubric";

export interface RubricWords {
  readonly rubric: string;
  readonly grade: (grade: string) => string;
  readonly points: (points: number, norm: string) => string;
  readonly openBetween: (worst: string, best: string) => string;
  readonly vetoed: (ids: string) => string;
  readonly met: Readonly<Record<CriterionCode, string>>;
  readonly noVerdict: string;
  readonly evidence: Readonly<Record<EvidenceState, string>>;
  readonly by: Readonly<Record<NonNullable<CriterionResult["by"]>, string>>;
  readonly open: string;
}

export const rubricWords: Readonly<Record<Language, RubricWords>> = {
  en: {
    rubric: "Rubric",
    grade: (grade) => `grade ${grade}`,
    points: (points, norm) => `${points} points, ${norm} of what can be reached`,
    openBetween: (worst, best) => `undecided: between ${worst} and ${best}`,
    vetoed: (ids) => `vetoed by ${ids}`,
    met: { Y: "holds", N: "does not hold", NA: "does not apply" },
    noVerdict: "no verdict",
    evidence: { verified: "quote found", unverified: "quote not found" },
    by: { rule: "checked in code", person: "answered by a person" },
    open: "asked",
  },
  zh: {
    rubric: "评分细则",
    grade: (grade) => `等级 ${grade}`,
    points: (points, norm) => `${points} 分，得分率 ${norm}`,
    openBetween: (worst, best) => `未定：介于 ${worst} 与 ${best} 之间`,
    vetoed: (ids) => `被 ${ids} 否决`,
    met: { Y: "成立", N: "不成立", NA: "不适用" },
    noVerdict: "没有结论",
    evidence: { verified: "引文已核实", unverified: "引文找不到" },
    by: { rule: "程序检查", person: "人工作答" },
    open: "待人审",
  },
};
