/** What `canary` says; Chinese and English. */
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const canaryProblems = {
  oneRun: (name: string) =>
    text(
      `${name} has one run only; judge it again first: replay --batch ${name}`,
      `批次 ${name} 只有一次运行；请先重新评审：replay --batch ${name}`,
    ),
  notDecided: (run: number) =>
    text(
      `run ${run} has samples without an outcome; compare once it is decided, see: status --batch`,
      `第 ${run} 次运行还有样本没有结论；全部有结论后再比较，请查看 status --batch`,
    ),
  nothingShared: (before: number, after: number) =>
    text(
      `runs ${before} and ${after} have no judged sample in common`,
      `第 ${before} 次与第 ${after} 次运行没有共同的评审样本`,
    ),
  noTruth: (samples: number) =>
    text(
      `none of the ${samples} samples has a human answer; give them labels, or let people review them`,
      `${samples} 个样本都没有人工答案；请提供 labels，或先由人审`,
    ),
} as const;

export const canaryWords = {
  compared: (before: number, after: number, samples: number) =>
    text(
      `Run ${before} against run ${after}, on ${samples} samples with a human answer`,
      `第 ${before} 次与第 ${after} 次运行，比较 ${samples} 个有人工答案的样本`,
    ),
  right: (before: string, after: string) =>
    text(`right before ${before}, now ${after}`, `此前答对 ${before}，现在 ${after}`),
  flips: (broke: number, mended: number, p: string) =>
    text(`${broke} broke, ${mended} mended, p = ${p}`, `${broke} 个由对变错，${mended} 个由错变对，p = ${p}`),
  worse: text("The judge has become worse.", "模型变差了。"),
  noWorse: text("Nothing says that the judge has become worse.", "没有迹象表明模型变差。"),
  few: (fewest: number) =>
    text(
      `Fewer than ${fewest} samples notice only large changes.`,
      `样本少于 ${fewest} 个，只能发现较大的变化。`,
    ),
  told: text("The watch over the certificate has been told.", "已计入证书的监测。"),
  none: text("No certificate is watched.", "没有正在监测的证书。"),
  otherJudge: text(
    "The certified judge did not answer both runs, so the watch has not been told.",
    "两次运行并非都由已认证的模型作答，未计入监测。",
  ),
  voided: text("The certificate is void.", "证书已失效。"),
} as const;
