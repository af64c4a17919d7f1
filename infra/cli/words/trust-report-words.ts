/** Words of the trust report's head, its tables and its command; its sentences come from core, with the figures. */
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const reportWords = {
  title: text("Trust report", "可信度报告"),
  standing: {
    certified: text("Certified", "已认证"),
    void: text("Certificate void", "证书失效"),
    none: text("Not certified", "未认证"),
  },
  meta: {
    task: text("task", "任务"),
    family: text("family", "任务族"),
    judge: text("judge", "评审模型"),
    noJudge: text("none asked yet", "尚未调用"),
    window: text("samples decided", "样本时间"),
    made: text("report of", "报告日期"),
    template: text("template version", "模版版本"),
    noSamples: text("none", "无"),
  },
  key: {
    gross: text("Machine-review rate", "机审率"),
    validSamples: text("valid samples", "个有效样本"),
    since: text("since it was certified", "认证以来"),
    load: text("People see", "人工查看"),
    reviews: text("reviews", "个人审"),
    audits: text("blind checks", "次盲审"),
    error: text("Wrong among accepted", "机审错误率"),
    noError: text("no blind check has a verdict yet", "抽检尚无结论"),
    proven: text("Proven at most", "已证明错误率不超过"),
    certifying: text("certifying checks", "次认证抽检"),
    notProven: text("nothing is certified", "尚无认证"),
    interval: text("95% interval", "95% 区间"),
  },
  numbers: text("The numbers", "数据"),
  columns: {
    coverage: text("answered", "作答比例"),
    tau: text("threshold", "门槛"),
    checks: text("checks", "抽检"),
    errors: text("errors", "错误"),
    risk: text("error", "错误率"),
    bound: text("bound", "上界"),
    from: text("from", "自"),
    to: text("to", "至"),
    labels: text("labels", "标签"),
    share: text("share", "占比"),
    confidence: text("confidence", "置信度"),
    accuracy: text("right", "答对"),
    interval: text("95% interval", "95% 区间"),
    samples: text("samples", "样本"),
    answered: text("answered by the machine", "机审率"),
    wrong: text("wrong among accepted", "机审错误率"),
    series: text("series", "系列"),
  },
  written: (file: string) => text(`Written to ${file}`, `已写入 ${file}`),
  progress: (batches: number, samples: number) =>
    text(`… ${batches} batches read (${samples} samples)`, `……已读 ${batches} 个批次（${samples} 个样本）`),
} as const;

export const reportProblems = {
  noTask: (task: string, known: readonly string[]) =>
    text(
      `there is no task "${task}"; ${known.length === 0 ? "no task has a template yet" : `the tasks are ${known.join(", ")}`}`,
      `没有任务“${task}”；${known.length === 0 ? "目前没有任何任务模版" : `现有任务：${known.join("、")}`}`,
    ),
  notAbove: (option: string, asked: string) =>
    text(`${option} takes a number above 0, not "${asked}"`, `${option} 需要大于 0 的数，而不是“${asked}”`),
  notCoverage: (asked: string) =>
    text(
      `--target takes a share of the samples like 0.97, from 0.5 to 1, not "${asked}"`,
      `--target 需要 0.5 至 1 之间的比例，例如 0.97，而不是“${asked}”`,
    ),
} as const;
