/** The words of `npm start`, in both languages. */

export interface ClosingWords {
  readonly columns: readonly string[];
  readonly total: string;
  /** Of the machine's decisions on a judge's word, those with and without a certificate behind them. */
  readonly certified: (count: number) => string;
  readonly uncertified: (count: number) => string;
  readonly baseline: string;
  readonly examples: string;
  readonly files: string;
  readonly reviews: (open: number) => string;
  readonly stays: string;
  readonly goesOn: (batches: number, seconds: number) => string;
  readonly nothingNew: (submitted: number) => string;
  readonly phases: Readonly<Record<Phase, string>>;
}

export const phases = ["synthesis", "models", "stack", "submission"] as const;
export type Phase = (typeof phases)[number];

export const closingWords: Readonly<Record<"zh" | "en", ClosingWords>> = {
  zh: {
    columns: ["任务", "样本", "机审", "人审", "无效", "失败", "机审率", "与人工标注一致", "格式合规"],
    total: "合计",
    certified: (count) => `${count} 个机审结果有证书担保。`,
    uncertified: (count) => `${count} 个机审结果为「未认证」：依据模版的临时门槛，没有证书担保。`,
    baseline: "裁判是内置的基线模型（词汇与规则特征，不是语言模型）。用 JUDGE_URL 换成真正的模型。",
    examples: "几个结果",
    files: "结果文件（最后写 summary.json）：",
    reviews: (open) => `人审队列中有 ${open} 个待办。另开一个终端：`,
    stays: "按 Ctrl-C 结束。",
    goesOn: (batches, seconds) =>
      `接着处理上次未完成的 ${batches} 个批次；上次运行中断时正在处理的样本最多 ${seconds} 秒后重新开始。`,
    nothingNew: (submitted) =>
      submitted === 0
        ? "数据目录里已有批次，不再提交演示。"
        : `演示的一部分批次已在数据目录里，只提交缺少的 ${submitted} 个。`,
    phases: {
      synthesis: "正在合成云端模版和函数包 …",
      models: "正在启动模型服务 …",
      stack: "正在启动内嵌 AWS 并部署 …",
      submission: "正在把批次放进 S3 …",
    },
  },
  en: {
    columns: [
      "task",
      "samples",
      "machine",
      "review",
      "invalid",
      "failed",
      "machine-review rate",
      "agrees with labels",
      "answers in form",
    ],
    total: "total",
    certified: (count) => `Machine decisions with a certificate behind them: ${count}.`,
    uncertified: (count) =>
      `Machine decisions that are uncertified, resting on the template's provisional threshold alone: ${count}.`,
    baseline:
      "The judge is the embedded baseline (lexical and rule features, not a language model). JUDGE_URL names a real one.",
    examples: "A few results",
    files: "Result files (summary.json is written last):",
    reviews: (open) => `${open} review tasks are open. In another terminal:`,
    stays: "Ctrl-C ends it.",
    goesOn: (batches, seconds) =>
      `Going on with ${batches} unfinished ${batches === 1 ? "batch" : "batches"}; samples that were being worked on when the last run ended start again after ${seconds} s at the latest.`,
    nothingNew: (submitted) =>
      submitted === 0
        ? "The data directory holds batches already: the demo is not submitted again."
        : `Part of the demo is in the data directory already: only the ${submitted} missing batches are submitted.`,
    phases: {
      synthesis: "Synthesising templates and bundles …",
      models: "Starting the model servers …",
      stack: "Starting the embedded AWS and deploying …",
      submission: "Dropping the batches into S3 …",
    },
  },
};
