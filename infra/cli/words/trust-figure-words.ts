/** Words of the trust report's two figures. */
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const trustFigureWords = {
  risk: {
    title: text("How wrong the machine would be if it answered more", "机器多答一些，会错多少"),
    about: text(
      "Error among the accepted answers, estimated and bounded, against the share of samples that the machine answers.",
      "横轴为机器作答的比例，纵轴为所接受答案中的错误率：估计值与上界。",
    ),
    x: text("share answered by the machine", "机器作答的比例"),
    y: text("wrong among its answers", "其中的错误率"),
    risk: text("estimated error", "错误率估计"),
    bound: (sure: string) =>
      text(`upper bound, ${sure} certain at each point`, `上界（每一点各有 ${sure} 的把握）`),
    alpha: (alpha: string) => text(`allowed: ${alpha}`, `允许 ${alpha}`),
    certified: (coverage: string) => text(`certified: ${coverage}`, `已认证 ${coverage}`),
    none: text("No random check has a verdict yet.", "随机抽检尚无结论。"),
    point: (coverage: string, k: string, n: string, risk: string, bound: string) =>
      text(
        `coverage ${coverage}: ${k} errors in ${n} checks, ${risk}, at most ${bound}`,
        `覆盖 ${coverage}：${n} 次抽检中 ${k} 个错误，错误率 ${risk}，至多 ${bound}`,
      ),
    note: text(
      "From random checks alone, near copies counted once; thresholds come from all samples. A certificate pays for looking at several points, so it may reach less far than this bound.",
      "只用随机抽检（近似重复计一次），门槛取自全部样本。证书要为多次查看付出代价，因此可能到不了此上界所示的比例。",
    ),
    labels: text("random checks", "次随机抽检"),
  },
  reliability: {
    title: text("Whether stated confidence is how often it is right", "置信度说多少，是否就对多少"),
    about: text(
      "Share of right answers against stated confidence, in tenths; on the diagonal, confidence is what it says.",
      "横轴为给出的置信度，纵轴为答对的比例，按十分之一分组；落在对角线上即名副其实。",
    ),
    x: text("stated confidence", "给出的置信度"),
    y: text("right answers", "答对的比例"),
    raw: text("raw", "原始"),
    calibrated: text("calibrated", "校准后"),
    ideal: text("confidence = accuracy", "置信度＝正确率"),
    shares: text("share of answers", "答案占比"),
    none: text("No answer with a confidence has a human label yet.", "带置信度的答案尚无人工标签。"),
    point: (confidence: string, accuracy: string, labels: string) =>
      text(
        `said ${confidence}, right ${accuracy} (${labels} labels)`,
        `置信度 ${confidence}，答对 ${accuracy}（${labels} 个标签）`,
      ),
    note: text(
      "Upright lines are 95% intervals, bars at the foot the share of answers. Raw confidence is held against all labels, a check standing for all answers that were not drawn; calibrated confidence against labels it was not fitted to.",
      "竖线为 95% 区间，底部的柱为答案占比。原始置信度对照全部标签，抽检样本代表未抽中的答案；校准后的置信度只对照未参与拟合的标签。",
    ),
  },
} as const;
