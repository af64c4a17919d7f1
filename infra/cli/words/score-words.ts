/** The words of `touchstone score`, in both languages. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const scoreProblems = {
  taskOrTemplate: () => text("give --task T or --template FILE", "请给出 --task T 或 --template FILE"),
  noTemplate: (task: string, looked: readonly string[]) =>
    text(
      `no template of task "${task}" at ${looked.join(" or ")}; give --template FILE`,
      `在 ${looked.join(" 或 ")} 没有任务“${task}”的模版；请给出 --template FILE`,
    ),
  unreadable: (file: string) => text(`cannot read ${file}`, `无法读取 ${file}`),
  badAnswer: (where: string, why: string) =>
    text(`${where}: ${why}`, `${where}：不是一次 chat completion（${why}）`),
  fewAnswers: (missing: number) =>
    text(
      `${missing} samples have no recorded answer; the file holds one chat completion a line, in the order of the samples`,
      `${missing} 个样本没有录制的答案；文件应每行一个 chat completion，次序与样本相同`,
    ),
} as const;

export interface ScoreWords {
  readonly summary: (samples: number, machine: string) => string;
}

export const scoreWords: Readonly<Record<Language, ScoreWords>> = {
  en: {
    summary: (samples, machine) => `${samples} samples, machine-review rate ${machine}`,
  },
  zh: {
    summary: (samples, machine) => `${samples} 个样本，机审率 ${machine}`,
  },
};
