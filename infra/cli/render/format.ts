/** Format compliance on one line: how many answers kept every rule, and how many broke each. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { FormatRule } from "@touchstone/core/schema/format";
import type { FormatSummary } from "../batch-summary.ts";
import { percent } from "./figures.ts";

const titles: Readonly<Record<Language, (rate: string, kept: number, answers: number) => string>> = {
  en: (rate, kept, answers) => `Judge's answers in the form asked for: ${rate} (${kept}/${answers})`,
  zh: (rate, kept, answers) => `模型答案的格式合规率：${rate}（${kept}/${answers}）`,
};

const rules: Readonly<Record<Language, Readonly<Record<FormatRule, string>>>> = {
  en: {
    json: "one JSON object",
    required: "required fields",
    allowed: "allowed values",
    length: "length",
    ids: "ids that exist",
    "cross-field": "rules between fields",
  },
  zh: {
    json: "单个 JSON 对象",
    required: "必填",
    allowed: "取值",
    length: "长度",
    ids: "id 存在",
    "cross-field": "字段间规则",
  },
};

export const renderFormat = ({ answers, kept, rate, broken }: FormatSummary, language: Language): string => {
  const names: Readonly<Record<string, string>> = rules[language];
  const parts = Object.entries(broken).map(([rule, count]) => `${names[rule] ?? rule} ${count}`);
  const title = titles[language](percent(rate), kept, answers);
  return parts.length === 0 ? title : `${title} · ${parts.join(" · ")}`;
};
