/** Why a certificate ended, in words people read, Chinese and English. */
import type { VoidReason } from "../../schema/certificate.ts";
import type { Language } from "../decide/reason-text.ts";

export const voidTexts: Readonly<Record<VoidReason, Readonly<Record<Language, string>>>> = {
  "fingerprint-changed": {
    en: "the judge, its prompt or the template has changed",
    zh: "评审模型、提示词或模版已变更",
  },
  "calibration-replaced": { en: "its calibration was replaced", zh: "校准已被替换" },
  "policy-changed": {
    en: "the template asks for less error than it promises",
    zh: "模版要求的错误率低于证书的承诺",
  },
  "error-alarm": { en: "audits found too many errors", zh: "抽检错误过多" },
  "confidence-drift": { en: "confidences have drifted", zh: "置信度分布漂移" },
  "missing-logprobs": { en: "too many answers came without probabilities", zh: "缺少概率的回答过多" },
  "canary-flips": { en: "frozen samples are answered otherwise", zh: "冻结样本的回答变了" },
  superseded: { en: "a newer one stands", zh: "已有更新的证书" },
  withdrawn: { en: "it was withdrawn", zh: "已撤回" },
};
