/** What `lint` says; Chinese and English. The findings have words of their own. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { LintSeverity } from "@touchstone/core/domain/rubric/lint-finding";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const lintProblems = {
  noFile: (file: string) =>
    text(
      `there is no template file ${file}; give a template.yaml, a task's folder, or the name of a task`,
      `没有模版文件 ${file}；请给出 template.yaml、任务文件夹或任务名`,
    ),
  noTask: (task: string) =>
    text(
      `no task "${task}" has a template here; submit one, or give the path of a template.yaml`,
      `这里没有任务“${task}”的模版；请先提交，或给出 template.yaml 的路径`,
    ),
} as const;

export interface LintWords {
  readonly severities: Readonly<Record<LintSeverity, string>>;
  readonly wholeRubric: string;
  readonly noRubric: (task: string) => string;
  readonly total: (task: string, criteria: number, errors: number, warnings: number) => string;
}

export const lintWords: Readonly<Record<Language, LintWords>> = {
  en: {
    severities: { error: "error", warning: "warning" },
    wholeRubric: "the rubric",
    noRubric: (task) => `The template of ${task} has no rubric.`,
    total: (task, criteria, errors, warnings) =>
      `${task}: ${criteria} criteria, ${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`,
  },
  zh: {
    severities: { error: "错误", warning: "警告" },
    wholeRubric: "整个细则",
    noRubric: (task) => `${task} 的模版没有评分细则。`,
    total: (task, criteria, errors, warnings) =>
      `${task}：${criteria} 个采分点，${errors} 个错误，${warnings} 个警告`,
  },
};
