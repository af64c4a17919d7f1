/** Words of the month's report; Chinese and English. */

import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { MonthRow } from "@touchstone/core/domain/finance/month-report";
import type { Text } from "../problem.ts";

export interface MonthWords {
  readonly columns: Readonly<Record<keyof MonthRow | "month" | "zone" | "task", string>>;
  /** Row of what belongs to no task. */
  readonly noTask: string;
  readonly sum: string;
  readonly title: (month: string, zone: string, start: string, end: string) => string;
  readonly notEnded: string;
  readonly undecided: (samples: number) => string;
  readonly progress: (batches: number, splits: number) => string;
  readonly written: (file: string) => string;
}

export const monthWords: Readonly<Record<Language, MonthWords>> = {
  en: {
    columns: {
      month: "month",
      zone: "time zone",
      task: "task",
      total: "samples",
      machine: "machine",
      review: "review",
      invalid: "invalid",
      failed: "failed",
      reviewed: "reviewed",
      audited: "audited",
      grossMachineReviewRate: "machine-review rate",
      netHumanLoad: "human load",
      batches: "batches",
      runs: "runs",
    },
    noTask: "(no task)",
    sum: "total",
    title: (month, zone, start, end) => `${month} in ${zone}: from ${start} until ${end}`,
    notEnded: "The month has not ended; these are its figures so far.",
    undecided: (samples) =>
      `${samples} samples of batches opened by then have no outcome yet; they are in no figure above.`,
    progress: (batches, splits) => `… ${batches} batches read (${splits} splits)`,
    written: (file) => `Written to ${file}`,
  },
  zh: {
    columns: {
      month: "月份",
      zone: "时区",
      task: "任务",
      total: "样本",
      machine: "机审",
      review: "人审",
      invalid: "无效",
      failed: "失败",
      reviewed: "已审",
      audited: "抽检",
      grossMachineReviewRate: "机审率",
      netHumanLoad: "人工负荷",
      batches: "批次",
      runs: "运行",
    },
    noTask: "（无任务）",
    sum: "合计",
    title: (month, zone, start, end) => `${month}（${zone}）：自 ${start} 起，至 ${end} 前`,
    notEnded: "本月尚未结束，以上为截至目前的数字。",
    undecided: (samples) => `截至当时已打开的批次中，还有 ${samples} 个样本没有结论，未计入以上数字。`,
    progress: (batches, splits) => `……已读 ${batches} 个批次（${splits} 个分片）`,
    written: (file) => `已写入 ${file}`,
  },
};

export const monthProblems = {
  noMonth: (asked: string): Text => ({
    en: `"${asked}" is no month; write year and month like 2026-11`,
    zh: `“${asked}”不是月份；请写成 2026-11 这样的年月`,
  }),
  noZone: (asked: string, alike: string | undefined): Text => ({
    en: `there is no time zone "${asked}"; ${alike === undefined ? "use an IANA name like Asia/Shanghai, America/Los_Angeles or UTC" : `did you mean ${alike}?`}`,
    zh: `没有时区“${asked}”；${alike === undefined ? "请用 IANA 名称，例如 Asia/Shanghai、America/Los_Angeles 或 UTC" : `是否要用 ${alike}？`}`,
  }),
  csvOrJson: (): Text => ({
    en: "give --csv or --json, not both; with --out FILE the file is CSV and JSON is printed",
    zh: "--csv 与 --json 只能给一个；若同时给出 --out FILE，则文件为 CSV，并打印 JSON",
  }),
} as const;
