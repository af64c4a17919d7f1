/** Words for batches, queues and outcomes; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { QueueName } from "@touchstone/core/pipeline";
import type { Outcome } from "@touchstone/core/schema/outcome";
import type { BatchState } from "../batch-state.ts";

export interface BatchWords {
  readonly states: Readonly<Record<BatchState, string>>;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly queues: Readonly<Record<QueueName, string>>;
  readonly columns: {
    readonly task: string;
    readonly batch: string;
    readonly state: string;
    readonly total: string;
    readonly reviewed: string;
    readonly rate: string;
  };
  readonly queueColumns: {
    readonly queue: string;
    readonly waiting: string;
    readonly inFlight: string;
    readonly delayed: string;
    readonly dead: string;
  };
  readonly run: (run: number) => string;
  readonly otherRuns: (list: string) => string;
  readonly repeats: (run: number, only: readonly Outcome[]) => string;
  readonly noBatches: string;
  readonly noOpenBatches: string;
  readonly openReviews: (open: number, claimed: number) => string;
  readonly fault: (fault: string) => string;
  readonly missing: (count: number) => string;
  readonly missingLine: (line: number, exact: boolean, sampleId: string | null) => string;
  readonly andMore: (count: number) => string;
  readonly files: string;
  readonly noFiles: string;
  readonly findings: string;
  readonly arrived: string;
  readonly decided: string;
  readonly final: string;
}

export const batchWords: Readonly<Record<Language, BatchWords>> = {
  en: {
    states: {
      reading: "reading",
      unreadable: "unreadable",
      empty: "empty",
      describing: "describing",
      scoring: "scoring",
      closing: "writing results",
      waiting: "waiting for people",
      final: "final",
    },
    outcomes: { machine: "machine", review: "review", invalid: "invalid", failed: "failed" },
    queues: {
      uploads: "uploads",
      describe: "describe",
      score: "score",
      settle: "settle",
      review: "review",
      learn: "learn",
    },
    columns: {
      task: "task",
      batch: "batch",
      state: "state",
      total: "samples",
      reviewed: "reviewed",
      rate: "machine-review rate",
    },
    queueColumns: {
      queue: "queue",
      waiting: "waiting",
      inFlight: "in flight",
      delayed: "delayed",
      dead: "dead letters",
    },
    run: (run) => `run ${run}`,
    otherRuns: (list) => `Other runs of this batch (see one with --run N): ${list}`,
    repeats: (run, only) =>
      `Repeats run ${run}${only.length === 0 ? "" : `, only what ended as ${only.join(" or ")}`}`,
    noBatches: "There is no batch yet; send one with: submit DIR",
    noOpenBatches: "No batch is at work; --all shows those that are final.",
    openReviews: (open, claimed) => `Review tasks without a verdict: ${open} open, ${claimed} claimed`,
    fault: (fault) => `The file could not be read to its end: ${fault}`,
    missing: (count) => `Without an outcome: ${count}`,
    missingLine: (line, exact, sampleId) =>
      `${exact ? "line" : "about line"} ${line}${sampleId === null ? "" : `  ${sampleId}`}`,
    andMore: (count) => `… and ${count} more`,
    files: "Result files",
    noFiles: "There are no result files yet.",
    findings: "What it waits for",
    arrived: "arrived",
    decided: "decided",
    final: "final",
  },
  zh: {
    states: {
      reading: "读取中",
      unreadable: "无法读取",
      empty: "空文件",
      describing: "识图中",
      scoring: "评分中",
      closing: "写结果中",
      waiting: "等待人审",
      final: "已完结",
    },
    outcomes: { machine: "机审", review: "人审", invalid: "无效", failed: "失败" },
    queues: {
      uploads: "上传",
      describe: "识图",
      score: "评分",
      settle: "结算",
      review: "人审",
      learn: "学习",
    },
    columns: {
      task: "任务",
      batch: "批次",
      state: "状态",
      total: "样本",
      reviewed: "已审",
      rate: "机审率",
    },
    queueColumns: { queue: "队列", waiting: "等待", inFlight: "处理中", delayed: "延后", dead: "死信" },
    run: (run) => `第 ${run} 次运行`,
    otherRuns: (list) => `该批次的其他运行（用 --run N 查看）：${list}`,
    repeats: (run, only) =>
      `重跑第 ${run} 次运行${only.length === 0 ? "" : `中结论为 ${only.join("、")} 的样本`}`,
    noBatches: "还没有批次；用 submit DIR 提交一个",
    noOpenBatches: "没有进行中的批次；--all 可显示已完结的批次。",
    openReviews: (open, claimed) => `尚无结论的人审任务：待领取 ${open}，已领取 ${claimed}`,
    fault: (fault) => `文件没有读完：${fault}`,
    missing: (count) => `尚无结论的样本：${count}`,
    missingLine: (line, exact, sampleId) =>
      `${exact ? "第" : "约第"} ${line} 行${sampleId === null ? "" : `  ${sampleId}`}`,
    andMore: (count) => `……另有 ${count} 个`,
    files: "结果文件",
    noFiles: "还没有结果文件。",
    findings: "在等什么",
    arrived: "到达",
    decided: "全部有结论",
    final: "完结",
  },
};
