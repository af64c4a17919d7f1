/** What `replay` says; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { ReplayableOutcome } from "@touchstone/core/schema/replay";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const replayProblems = {
  unknownOutcome: (asked: string) =>
    text(
      `--only takes failed, invalid or review, not "${asked}"; without it the whole file is replayed`,
      `--only 可以是 failed、invalid 或 review，而不是“${asked}”；不写则重跑整个文件`,
    ),
  noRun: (run: number, newest: number) =>
    text(
      `the batch has no run ${run}; its newest is run ${newest}`,
      `该批次没有第 ${run} 次运行；最新的是第 ${newest} 次`,
    ),
  closing: (name: string, run: number) =>
    text(
      `run ${run} of ${name} is decided, and its result files are being written; ask again in a moment`,
      `批次 ${name} 的第 ${run} 次运行已有全部结论，正在写结果文件；请稍后再试`,
    ),
  atWork: (name: string, run: number, undecided: number) =>
    text(
      `run ${run} of ${name} is still at work (${undecided} samples without an outcome); see why: status --batch, and replay it once it is decided`,
      `批次 ${name} 的第 ${run} 次运行尚未结束（${undecided} 个样本没有结论）；先用 status --batch 查看原因，全部有结论后再重跑`,
    ),
  nothing: (name: string, run: number, only: readonly ReplayableOutcome[]) =>
    text(
      `run ${run} of ${name} has no ${only.length === 0 ? "sample" : `sample that ended as ${only.join(" or ")}`}; there is nothing to replay`,
      `批次 ${name} 的第 ${run} 次运行没有${only.length === 0 ? "样本" : `结论为 ${only.join("、")} 的样本`}；无需重跑`,
    ),
  noSource: (key: string) =>
    text(
      `this version of ${key} is no longer stored; submit the samples again as a new batch`,
      `${key} 的这个版本已不在存储中；请把样本作为新批次重新提交`,
    ),
  otherFirst: (run: number) =>
    text(
      `somebody else asked for run ${run} first, and for other samples; see: status --batch`,
      `第 ${run} 次运行已被他人先发起，且样本范围不同；请查看 status --batch`,
    ),
} as const;

export interface ReplayWords {
  readonly asked: (name: string, run: number, samples: number, isOpen: boolean) => string;
  readonly reviewsStay: (run: number, open: number) => string;
  readonly next: (batch: string) => string;
}

export const replayWords: Readonly<Record<Language, ReplayWords>> = {
  en: {
    asked: (name, run, samples, isOpen) =>
      isOpen
        ? `Run ${run} of ${name} has begun: ${samples} samples`
        : `Run ${run} of ${name} is asked for (${samples} samples); it begins when INTAKE gets to it`,
    reviewsStay: (run, open) =>
      `${open} review tasks of run ${run} stay open; their verdicts belong to that run`,
    next: (batch) => `Follow it with: npm run touchstone -- status --batch ${batch}`,
  },
  zh: {
    asked: (name, run, samples, isOpen) =>
      isOpen
        ? `${name} 的第 ${run} 次运行已开始：${samples} 个样本`
        : `已请求 ${name} 的第 ${run} 次运行（${samples} 个样本）；轮到 INTAKE 处理时开始`,
    reviewsStay: (run, open) => `第 ${run} 次运行仍有 ${open} 个未完成的人审任务；其结论归属该次运行`,
    next: (batch) => `查看进度：npm run touchstone -- status --batch ${batch}`,
  },
};
