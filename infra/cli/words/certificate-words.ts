/** What `calibrate`, `certify` and `status` say of trust; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { CalibrationChoice, CalibratorKind } from "@touchstone/core/schema/calibration";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const certificateProblems = {
  noTemplate: (task: string) =>
    text(
      `task "${task}" has no readable template; see: status`,
      `任务“${task}”没有可读的模版；请查看 status`,
    ),
  nothingJudged: (task: string) =>
    text(
      `no judged sample of "${task}" lies in the window; submit a batch first, or look further back with --days`,
      `窗口内没有任务“${task}”的评审结果；请先提交批次，或用 --days 放宽窗口`,
    ),
  noAudits: (task: string) =>
    text(
      `the templates of "${task}" and its family draw no audits (decision.auditRate is 0), so nothing can be certified`,
      `任务“${task}”及其任务族的模版没有抽检（decision.auditRate 为 0），无法出证`,
    ),
} as const;

/** A share as people read it. */
export type Percent = string;

export interface CertificateWords {
  readonly calibrated: (family: string, kind: string, points: number, errors: string) => string;
  readonly kinds: Readonly<Record<CalibratorKind, string>>;
  readonly reasons: Readonly<Record<CalibrationChoice["reason"], string>>;
  readonly better: (before: string, after: string) => string;
  readonly certificate: (
    scope: string,
    confidence: Percent,
    alpha: Percent,
    coverage: Percent,
    n: number,
    k: number,
    bound: Percent,
  ) => string;
  readonly standing: (id: string) => string;
  readonly tooFew: (audits: number, needed: number, pending: number, behind: number) => string;
  readonly pending: (pending: number, behind: number) => string;
  readonly floorWaiting: (seen: number, needed: number) => string;
  readonly floorPassed: (id: string, needed: number) => string;
  readonly floorFailed: string;
  readonly notCertified: (index: number, audits: number) => string;
  readonly columns: Readonly<
    Record<"coverage" | "threshold" | "audits" | "wrong" | "bound" | "passed", string>
  >;
  readonly passed: string;
  readonly failed: string;
  readonly veto: (criterion: string, alpha: Percent, audits: number) => string;
  readonly vetoMissing: (criterion: string, audits: number) => string;
  readonly isVoid: (id: string, why: string, detail: string) => string;
  readonly covered: (id: string) => string;
  readonly uncovered: (id: string, why: string) => string;
  readonly newTask: string;
  readonly watched: (audits: number, errors: number) => string;
}

export const certificateWords: Readonly<Record<Language, CertificateWords>> = {
  en: {
    calibrated: (family, kind, points, errors) =>
      `The family ${family} is calibrated (${kind}) on ${points} labels, ${errors} of them against the machine`,
    kinds: {
      identity: "as it is",
      temperature: "temperature",
      platt: "Platt",
      beta: "beta",
      isotonic: "isotonic",
      "pooled-platt": "Platt, pooled over its tasks",
    },
    reasons: {
      "too-few-labels": "too few labels to fit more",
      "too-few-errors": "too few errors to fit more",
      "lowest-log-loss": "best on labels it had not seen",
    },
    better: (before, after) => `Calibration error ${before} before, ${after} after (on unseen labels)`,
    certificate: (scope, confidence, alpha, coverage, n, k, bound) =>
      `${scope}: with ${confidence} certainty at most ${alpha} of what the machine answers by itself is wrong. It answers ${coverage}; of ${n} random audits ${k} were wrong, so the error is at most ${bound}.`,
    standing: (id) => `Certificate ${id} stands; --again tests anew, at a price in delta`,
    tooFew: (audits, needed, pending, behind) =>
      `Not tested: ${audits} audits count, and even a judge without error needs ${needed}. No part of delta was spent.${pending > 0 ? ` ${pending} audits are not answered yet, and ${behind} answered ones wait behind the oldest of them.` : ""}`,
    pending: (pending, behind) =>
      `${pending} audits are not answered yet; ${behind} answered ones wait behind the oldest of them`,
    floorWaiting: (seen, needed) =>
      `The family is certified; this task joins once its first ${needed} audits are right (${seen} so far)`,
    floorPassed: (id, needed) => `Its first ${needed} audits are right: the task joins certificate ${id}`,
    floorFailed:
      "The family is certified, but one of this task's first audits was wrong: it needs a certificate with its own audits in it (--again)",
    notCertified: (index, audits) =>
      `Not certified (test ${index} of the family, ${audits} audits): people see what the template says`,
    columns: {
      coverage: "coverage",
      threshold: "threshold",
      audits: "audits",
      wrong: "wrong",
      bound: "error at most",
      passed: "",
    },
    passed: "passed",
    failed: "failed",
    veto: (criterion, alpha, audits) =>
      `Veto ${criterion}: at most ${alpha} of "no violation" is wrong (${audits} audits)`,
    vetoMissing: (criterion, audits) =>
      `Veto ${criterion}: not certified by ${audits} audits of "no violation", so a person looks at it`,
    isVoid: (id, why, detail) => `Certificate ${id} is void: ${why}${detail === "" ? "" : ` (${detail})`}`,
    covered: (id) => `covered by certificate ${id}`,
    uncovered: (id, why) => `certificate ${id} does not count here: ${why}`,
    newTask: "the task has yet to pass its floor test",
    watched: (audits, errors) => `since then ${audits} audits, ${errors} against the machine`,
  },
  zh: {
    calibrated: (family, kind, points, errors) =>
      `任务族 ${family} 已校准（${kind}）：${points} 个标注，其中 ${errors} 个与机器不一致`,
    kinds: {
      identity: "原样",
      temperature: "温度",
      platt: "Platt",
      beta: "Beta",
      isotonic: "保序回归",
      "pooled-platt": "跨任务合并的 Platt",
    },
    reasons: {
      "too-few-labels": "标注太少，无法拟合",
      "too-few-errors": "错误样本太少，无法拟合",
      "lowest-log-loss": "在未见过的标注上最好",
    },
    better: (before, after) => `校准误差：校准前 ${before}，校准后 ${after}（在未见过的标注上）`,
    certificate: (scope, confidence, alpha, coverage, n, k, bound) =>
      `${scope}：有 ${confidence} 的把握，机器独立作答的样本中错误不超过 ${alpha}。机器作答 ${coverage}；随机抽检 ${n} 个，错 ${k} 个，错误率上界 ${bound}。`,
    standing: (id) => `证书 ${id} 有效；--again 会重新检验，并消耗一份 δ`,
    tooFew: (audits, needed, pending, behind) =>
      `未检验：计入的抽检 ${audits} 个，即使零错误也需要 ${needed} 个。没有消耗 δ。${pending > 0 ? `另有 ${pending} 个抽检未答，其中最早的一个之后还有 ${behind} 个已答的在等待。` : ""}`,
    pending: (pending, behind) => `有 ${pending} 个抽检未答；最早的一个之后还有 ${behind} 个已答的在等待`,
    floorWaiting: (seen, needed) =>
      `任务族已有证书；该任务前 ${needed} 个抽检全对即可加入（目前 ${seen} 个）`,
    floorPassed: (id, needed) => `前 ${needed} 个抽检全对：任务加入证书 ${id}`,
    floorFailed: "任务族已有证书，但该任务的前几个抽检有错：需要用它自己的抽检重新出证（--again）",
    notCertified: (index, audits) =>
      `未能出证（任务族第 ${index} 次检验，抽检 ${audits} 个）：按模版策略处理`,
    columns: {
      coverage: "覆盖率",
      threshold: "门槛",
      audits: "抽检",
      wrong: "错误",
      bound: "错误率上界",
      passed: "",
    },
    passed: "通过",
    failed: "未通过",
    veto: (criterion, alpha, audits) =>
      `一票否决项 ${criterion}：判“无违规”的错误不超过 ${alpha}（抽检 ${audits} 个）`,
    vetoMissing: (criterion, audits) =>
      `一票否决项 ${criterion}：${audits} 个“无违规”抽检不足以出证，由人查看`,
    isVoid: (id, why, detail) => `证书 ${id} 已失效：${why}${detail === "" ? "" : `（${detail}）`}`,
    covered: (id) => `由证书 ${id} 担保`,
    uncovered: (id, why) => `证书 ${id} 在此不适用：${why}`,
    newTask: "该任务尚未通过准入检验",
    watched: (audits, errors) => `出证后抽检 ${audits} 个，与机器不一致 ${errors} 个`,
  },
};
