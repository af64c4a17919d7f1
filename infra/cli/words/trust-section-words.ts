/** Words of the trust report's sections: what more would take, what was lost, who lags, the watch, the terms. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { Loss } from "@touchstone/core/domain/report/coverage";
import type { AlarmKind, ConcernKind } from "@touchstone/core/schema/watch";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const forecastWords = {
  title: (target: string) => text(`What ${target} would take`, `机审率达到 ${target} 需要什么`),
  needed: text("certifying checks needed", "认证所需抽检"),
  usable: text("there already", "其中已有"),
  missing: text("checks to make", "还需抽检"),
  hours: text("hours of work", "人工小时"),
  cost: (currency: string) => text(`cost (${currency})`, `费用（${currency}）`),
  days: text("days at the present rate", "按目前速度所需天数"),
  hardestCoverage: text("hardest point on the way: coverage", "途中最难的一点：比例"),
  hardestError: text("error estimated there", "该点的错误率估计"),
  note: text(
    "With a chance of 80% that the certification then passes. A part of the checks fits the calibration instead. Counted on this task's own checks: certified together with its family it may need fewer.",
    "届时认证通过的概率约 80%。部分抽检用于拟合校准。只按本任务自己的抽检计算；与同族任务一起认证时可能更少。",
  ),
} as const;

export const lostWords = {
  title: text("Why the rest went to people", "其余样本为何交给人工"),
  none: text("The machine answered every valid sample.", "全部有效样本均由机器作答。"),
} as const;

/** Longer than the columns of `status` have room for. */
export const lossWords: Readonly<Record<Loss, Text>> = {
  format: text("unusable answer", "答案不可用"),
  "missing-logprobs": text("no probability given", "没有给出概率"),
  policy: text("the task's own rules", "任务自身的规则"),
  veto: text("a veto without a certificate", "一票否决项没有证书"),
  "low-confidence": text("not confident enough", "置信度不足"),
  "no-certificate": text("no certificate", "没有证书"),
  failed: text("given up after several attempts", "多次尝试后放弃"),
};

export const strataWords = {
  title: text("Where the machine lags", "机器在哪里落后"),
  lagging: (groups: number) =>
    text(
      groups === 1 ? "1 group lags beyond chance." : `${groups} groups lag beyond chance.`,
      `有 ${groups} 组落后，非偶然所致。`,
    ),
  noneLags: text("No group lags beyond chance.", "没有哪一组明显落后。"),
  none: text(
    "There is nothing to compare by: samples may say what they belong to in their meta.",
    "没有可供比较的分组；样本可在 meta 中注明所属类别。",
  ),
  coverage: text("answered less", "机审率低"),
  error: text("more errors", "错误多"),
  note: text(
    "Bars are 95% intervals; the upright line is the task as a whole. A group lags only where chance is ruled out over everything compared here.",
    "横条为 95% 区间，竖线为任务整体水平。只有在全部比较中都能排除偶然时，才算落后。",
  ),
} as const;

/** Names of `meta` that many tasks use; others are shown as they are. */
const strataNames: ReadonlyMap<string, Text> = new Map([
  ["difficulty", text("difficulty", "难度")],
  ["family", text("family", "类别")],
  ["modality", text("modality", "模态")],
  ["length", text("length in characters", "长度（字符）")],
  ["source", text("source", "来源")],
  ["language", text("language", "语言")],
]);

export const strataName = (by: string, language: Language): string => strataNames.get(by)?.[language] ?? by;

export const watchWords = {
  title: text("The watch since it was certified", "认证以来的监测"),
  calm: text("Nothing speaks against the certificate.", "没有发现与证书相悖的迹象。"),
  none: text("No certificate is watched.", "没有正在监测的证书。"),
  alarm: text("Alarm", "警报"),
  concern: text("Worth a look", "值得留意"),
  score: text("error score (CUSUM)", "错误累计分（CUSUM）"),
  limit: text("alarm from", "警报线"),
  audits: text("checks since", "其后抽检"),
  errors: text("errors among them", "其中错误"),
  stability: text("confidence drift (PSI)", "置信度漂移（PSI）"),
  missing: text("answers without a probability", "没有概率的答案"),
} as const;

export const alarmWords: Readonly<Record<AlarmKind, Text>> = {
  "error-alarm": text(
    "random checks find more errors than when it was certified",
    "随机抽检发现的错误比认证时多",
  ),
  "confidence-drift": text(
    "the confidences are no longer those that were certified",
    "置信度分布已不同于认证时",
  ),
  "missing-logprobs": text("too many answers come without a probability", "太多答案没有给出概率"),
  "canary-flips": text("frozen samples that were right are wrong now", "固定样本由对变错"),
  "fingerprint-changed": text("another judge runs than the one certified", "运行的模型不是认证的那一个"),
};

export const concernWords: Readonly<Record<ConcernKind, Text>> = {
  "confidence-drift": text("the confidences begin to move", "置信度分布开始移动"),
  "accept-rate": text(
    "the machine accepts another share than when it was certified",
    "机器接受的比例与认证时不同",
  ),
  "audits-late": text("some checks came too late to count", "部分抽检来得太晚，未计入"),
};

export const termsWords = {
  title: text("Terms", "条款"),
  certificate: text("certificate", "证书"),
  alpha: text("errors allowed among accepted (α)", "允许的机审错误率（α）"),
  delta: text("chance that the proof is wrong (δ)", "证明出错的概率（δ）"),
  spent: text("part of δ that this certification may use", "本次认证可用的 δ"),
  tau: text("accepted from a confidence of", "接受的最低置信度"),
  bound: text("proven bound", "已证明的上界"),
  issued: text("issued", "签发"),
  window: text("rests on samples of", "依据样本时间"),
  tasks: text("given on the tasks", "认证所用任务"),
  pool: text("samples behind the threshold", "确定门槛的样本"),
  calibration: text("calibration", "校准"),
  noCalibration: text("none", "无"),
  fittedOn: text("labels it was fitted to", "拟合所用标签"),
  eceBefore: text("calibration error (ECE) before", "校准前的误差（ECE）"),
  eceAfter: text("and after, on unseen labels", "校准后（未见标签）"),
  auroc: text("tells right from wrong (AUROC)", "区分对错的能力（AUROC）"),
  auditRate: text("audit rate", "抽检率"),
  fingerprint: text("judge's fingerprint", "模型指纹"),
} as const;
