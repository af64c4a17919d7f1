/** What `status` says of coverage; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { LostCause } from "@touchstone/core/schema/tallies";

export interface CoverageWords {
  readonly title: string;
  readonly columns: Readonly<Record<"task" | "valid" | "machine" | "certified" | "human", string>>;
  readonly causes: Readonly<Record<LostCause, string>>;
  readonly trust: string;
}

export const coverageWords: Readonly<Record<Language, CoverageWords>> = {
  en: {
    title: "Coverage of the decided batches shown, and what the rest was lost to",
    columns: {
      task: "task",
      valid: "valid",
      machine: "machine",
      certified: "certified",
      human: "human load",
    },
    causes: {
      format: "format",
      "missing-logprobs": "no logprobs",
      policy: "policy",
      veto: "veto",
      "low-confidence": "low confidence",
      "no-certificate": "no certificate",
    },
    trust: "Certificates",
  },
  zh: {
    title: "所列已判定批次的覆盖率，以及其余样本的去向",
    columns: { task: "任务", valid: "有效", machine: "机审", certified: "有证书", human: "人工量" },
    causes: {
      format: "格式",
      "missing-logprobs": "缺概率",
      policy: "策略",
      veto: "一票否决",
      "low-confidence": "置信度低",
      "no-certificate": "无证书",
    },
    trust: "证书",
  },
};
