/** What `budget` and `submit --estimate` say; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { CallEstimate } from "@touchstone/core/domain/pressure/budget";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const budgetProblems = {
  noBudget: (task: string) =>
    text(
      `no budget limits the judge calls of ${task} in this batch; set budget.judgeCallsPerBatch in its template before you submit`,
      `该批次中任务 ${task} 没有评审调用预算；请在提交前于模版中设置 budget.judgeCallsPerBatch`,
    ),
  whichTask: (tasks: readonly string[]) =>
    text(
      `several tasks have a budget in this batch: ${tasks.join(", ")}; name one with --task`,
      `该批次中有多个任务设有预算：${tasks.join("、")}；请用 --task 指定`,
    ),
  noTemplate: (task: string) =>
    text(
      `task "${task}" has no template yet, so nothing can be estimated; put template.yaml into the folder`,
      `任务“${task}”还没有模版，无法估算；请在文件夹中放入 template.yaml`,
    ),
  unreadable: (file: string) =>
    text(
      `${file} cannot be read to its end; is it damaged or cut off?`,
      `${file} 无法读到结尾；文件是否损坏或被截断？`,
    ),
} as const;

export interface BudgetWords {
  readonly columns: {
    readonly task: string;
    readonly limit: string;
    readonly spent: string;
    readonly left: string;
  };
  readonly noBudgets: string;
  readonly needs: (undecided: number, calls: CallEstimate) => string;
  readonly raised: (task: string, limit: number) => string;
  readonly resumes: string;
  readonly stillUsedUp: (spent: number) => string;
  readonly estimate: (task: string, samples: number, calls: CallEstimate) => string;
  readonly unlimited: string;
  readonly enough: (limit: number) => string;
  readonly tooLittle: (limit: number, waiting: number) => string;
  readonly perFile: (limit: number) => string;
  readonly notSent: string;
}

export const budgetWords: Readonly<Record<Language, BudgetWords>> = {
  en: {
    columns: { task: "task", limit: "judge calls in all", spent: "spent", left: "left" },
    noBudgets: "No budget limits the judge calls of this batch.",
    needs: (undecided, { least, most }) =>
      `${undecided} samples have no outcome yet: they need ${least} calls, and at most ${most}`,
    raised: (task, limit) => `${task} may make ${limit} judge calls in this batch`,
    resumes: "SWEEP sends the waiting samples again within five minutes.",
    stillUsedUp: (spent) => `${spent} calls are spent already, so the samples go on waiting.`,
    estimate: (task, samples, { least, most }) =>
      least === 0
        ? `${task}: ${samples} samples, no judge calls: code answers everything`
        : `${task}: ${samples} samples need ${least} judge calls if every answer is good at once, and at most ${most}`,
    unlimited: "Its template sets no budget.",
    enough: (limit) => `Its budget of ${limit} calls is enough, also in the worst case.`,
    tooLittle: (limit, waiting) =>
      `Its budget is ${limit} calls: in the best case ${waiting} samples will wait until somebody raises it (touchstone budget).`,
    perFile: (limit) => `Its budget of ${limit} calls holds for each file by itself.`,
    notSent: "Nothing was sent; without --estimate it will be.",
  },
  zh: {
    columns: { task: "任务", limit: "评审调用上限", spent: "已用", left: "剩余" },
    noBudgets: "该批次没有评审调用预算。",
    needs: (undecided, { least, most }) =>
      `尚有 ${undecided} 个样本没有结论：至少需要 ${least} 次调用，至多 ${most} 次`,
    raised: (task, limit) => `任务 ${task} 在该批次中可调用评审 ${limit} 次`,
    resumes: "SWEEP 会在五分钟内重新投递等待中的样本。",
    stillUsedUp: (spent) => `已用 ${spent} 次，样本仍需等待。`,
    estimate: (task, samples, { least, most }) =>
      least === 0
        ? `${task}：${samples} 个样本，无需调用评审：全部由程序作答`
        : `${task}：${samples} 个样本，若每次作答都可用，需 ${least} 次评审调用，至多 ${most} 次`,
    unlimited: "其模版没有设置预算。",
    enough: (limit) => `预算 ${limit} 次，最坏情况下也足够。`,
    tooLittle: (limit, waiting) =>
      `预算为 ${limit} 次：最好情况下也有 ${waiting} 个样本要等到有人提高预算（touchstone budget）。`,
    perFile: (limit) => `预算 ${limit} 次按文件分别计算。`,
    notSent: "没有上传任何内容；去掉 --estimate 才会提交。",
  },
};
