/** Reasons in words that people understand, Chinese and English. */
import type { Reason, ReasonCode } from "../../schema/outcome.ts";
import { translateFault } from "../describe/picture-fault.ts";

export const languages = ["zh", "en"] as const;
export type Language = (typeof languages)[number];

const texts: Record<ReasonCode, Record<Language, string>> = {
  confident: { zh: "置信度达到门槛", en: "confident enough" },
  exact: { zh: "程序精确比对", en: "compared exactly in code" },
  "low-confidence": { zh: "置信度不足", en: "not confident enough" },
  "missing-confidence": { zh: "模型没有给出概率", en: "the model gave no probability" },
  "no-vouching-policy": { zh: "没有证书，按策略全部人审", en: "no certificate, so people see everything" },
  "answer-unreadable": { zh: "模型答案无法解析", en: "the judge's answer could not be read" },
  "answer-cut": { zh: "模型答案被截断", en: "the judge's answer was cut off" },
  "answer-looped": { zh: "模型答案循环重复", en: "the judge's answer went round in circles" },
  "answer-refused": { zh: "模型拒绝作答", en: "the judge refused to answer" },
  "value-not-allowed": { zh: "答案不在可选范围内", en: "the answer is not an allowed one" },
  "rule-broken": { zh: "字段之间互相矛盾", en: "fields contradict each other" },
  "field-missing": { zh: "缺少必填字段", en: "a required field is missing" },
  "criterion-unsure": { zh: "采分点待定", en: "a criterion is open" },
  "criterion-unverified": {
    zh: "采分点的引文在材料中找不到",
    en: "a criterion's quote is not in the material",
  },
  "veto-uncertified": { zh: "一票否决项没有证书", en: "a veto has no certificate of its own" },
  "context-cut": { zh: "材料超出上下文而被截断", en: "the material did not fit the context" },
  "answer-ambiguous": { zh: "答案有歧义", en: "the answer is ambiguous" },
  "media-missing": { zh: "缺少图片", en: "a picture is missing" },
  "media-unreadable": { zh: "图片无法读取", en: "a picture cannot be read" },
  "media-undescribed": { zh: "图片未能描述", en: "a picture could not be described" },
  unrouted: { zh: "没有匹配的任务模版", en: "no task template takes it" },
  "bad-line": { zh: "数据行有误", en: "the line is broken" },
  "duplicate-id": { zh: "样本 id 重复", en: "the sample id stands twice" },
  "no-reference": { zh: "缺少参考答案", en: "there is no reference answer" },
  "injection-suspected": { zh: "疑似提示词注入", en: "it may try to instruct the judge" },
  "gave-up": { zh: "多次尝试后放弃", en: "given up after several attempts" },
  lost: { zh: "样本丢失，多次重发无果", en: "lost, also after being sent again" },
};

/** A reason as one short phrase, with its field and detail. */
export const reasonText = (reason: Reason, language: Language): string => {
  const text = texts[reason.code][language];
  const detail =
    reason.fault === undefined ? reason.detail : translateFault(reason.detail ?? "", reason.fault, language);
  const parts = [reason.field, detail].filter((part) => part !== undefined && part !== "");
  if (parts.length === 0) return text;
  return language === "zh" ? `${text}（${parts.join("：")}）` : `${text} (${parts.join(": ")})`;
};
