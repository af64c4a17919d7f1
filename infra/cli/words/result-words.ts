/** Words for results: what was decided, by what right, and how sure; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { GistFlag, IntegrationPattern, Strategy } from "@touchstone/core/schema/gist";
import type { ConfidenceSource, Result } from "@touchstone/core/schema/result";

export interface ResultWords {
  readonly sources: Readonly<Record<ConfidenceSource, string>>;
  readonly vouchers: Readonly<Record<NonNullable<Result["vouchedBy"]>, string>>;
  readonly certified: string;
  readonly uncertified: string;
  readonly strategies: Readonly<Record<Strategy, string>>;
  readonly flags: Readonly<Record<GistFlag, string>>;
  readonly undecided: string;
  readonly calibrated: string;
  readonly noTemplate: string;
  readonly template: (task: string, version: number) => string;
  readonly line: (line: number) => string;
  readonly audit: string;
  readonly reasons: string;
  readonly fields: string;
  readonly explanation: string;
  readonly evidence: string;
  readonly found: string;
  readonly notFound: string;
  readonly pictures: string;
  readonly patterns: Readonly<Record<IntegrationPattern, string>>;
  readonly integration: (pattern: string, saved: number, parts: string) => string;
  readonly noGist: string;
  readonly judge: string;
  readonly noJudge: string;
  readonly usage: (calls: number, promptTokens: number, completionTokens: number, ms: number) => string;
  readonly verdict: (reviewer: string, at: string) => string;
  readonly note: (note: string) => string;
  readonly labels: string;
  readonly agrees: (right: number, compared: number) => string;
  readonly sample: string;
  readonly alsoIn: (batch: string, run: number, line: number) => string;
  readonly columns: {
    readonly line: string;
    readonly sample: string;
    readonly decision: string;
    readonly answers: string;
    readonly why: string;
  };
  readonly noResults: string;
  readonly more: (count: number) => string;
  readonly written: (file: string, bytes: string) => string;
}

export const resultWords: Readonly<Record<Language, ResultWords>> = {
  en: {
    sources: {
      logprob: "from the model's token probabilities",
      vote: "from repeated answers",
      exact: "compared in code",
      none: "no probability",
    },
    vouchers: {
      exact: "compared exactly in code",
      "provisional-threshold": "by the provisional threshold",
      certificate: "by a certificate",
    },
    certified: "certified",
    uncertified: "uncertified",
    strategies: { text: "text", picture: "picture", mixed: "mixed" },
    flags: {
      repeats: "repeats itself",
      cut: "cut off",
      evaluates: "evaluates",
      empty: "empty",
      contradicts: "contradicts the text that was read",
    },
    undecided: "undecided",
    calibrated: "calibrated",
    noTemplate: "no template took it",
    template: (task, version) => `template ${task} v${version}`,
    line: (line) => `line ${line}`,
    audit: "drawn for a blind human check",
    reasons: "Reasons",
    fields: "Fields",
    explanation: "Explanation",
    evidence: "Evidence",
    found: "found in the sample",
    notFound: "not found in the sample",
    pictures: "Pictures",
    patterns: {
      none: "no picture",
      single: "the same picture again",
      "one-by-one": "each with its own text",
      sequence: "a series",
      comparison: "a comparison",
    },
    integration: (pattern, saved, parts) =>
      saved === 0 ? `shown as: ${pattern}` : `shown as: ${pattern}; ${saved} tokens saved (${parts})`,
    noGist: "(its description is no longer cached)",
    judge: "Judge",
    noJudge: "no judge was asked",
    usage: (calls, promptTokens, completionTokens, ms) =>
      `${calls} ${calls === 1 ? "call" : "calls"}, ${promptTokens} + ${completionTokens} tokens, ${Math.round(ms)} ms`,
    verdict: (reviewer, at) => `Verdict of ${reviewer}, ${at}`,
    note: (note) => `Note: ${note}`,
    labels: "Labels of the upload",
    agrees: (right, compared) => `${right} of ${compared} labelled fields agree`,
    sample: "Sample",
    alsoIn: (batch, run, line) =>
      `The same id also stands in line ${line} of ${batch}${run === 1 ? "" : `, run ${run}`}`,
    columns: { line: "line", sample: "sample", decision: "decision", answers: "answers", why: "why" },
    noResults: "No sample has such a result yet.",
    more: (count) => `… and ${count} more; see them with --limit, or all with --out FILE`,
    written: (file, bytes) => `Wrote ${file} (${bytes})`,
  },
  zh: {
    sources: { logprob: "来自模型的词元概率", vote: "来自多次作答", exact: "程序比对", none: "没有概率" },
    vouchers: {
      exact: "由程序精确比对",
      "provisional-threshold": "按临时门槛",
      certificate: "按证书",
    },
    certified: "有证书",
    uncertified: "无证书",
    strategies: { text: "主文", picture: "主图", mixed: "图文混合" },
    flags: {
      repeats: "重复",
      cut: "被截断",
      evaluates: "含评价",
      empty: "为空",
      contradicts: "与识别出的文字不符",
    },
    undecided: "未定",
    calibrated: "校准后",
    noTemplate: "没有模版接收",
    template: (task, version) => `模版 ${task} v${version}`,
    line: (line) => `第 ${line} 行`,
    audit: "已抽中盲审",
    reasons: "原因",
    fields: "字段",
    explanation: "说明",
    evidence: "依据",
    found: "样本中有此原文",
    notFound: "样本中没有此原文",
    pictures: "图片",
    patterns: {
      none: "没有图片",
      single: "同一张图",
      "one-by-one": "各配文字，逐张",
      sequence: "连续的一组",
      comparison: "对照",
    },
    integration: (pattern, saved, parts) =>
      saved === 0 ? `合并方式：${pattern}` : `合并方式：${pattern}；省下 ${saved} 个词元（${parts}）`,
    noGist: "（梗概已不在缓存中）",
    judge: "评审模型",
    noJudge: "没有询问模型",
    usage: (calls, promptTokens, completionTokens, ms) =>
      `调用 ${calls} 次，词元 ${promptTokens} + ${completionTokens}，${Math.round(ms)} 毫秒`,
    verdict: (reviewer, at) => `${reviewer} 的人审结论，${at}`,
    note: (note) => `备注：${note}`,
    labels: "上传时的人工标签",
    agrees: (right, compared) => `${compared} 个有标签的字段中 ${right} 个一致`,
    sample: "样本",
    alsoIn: (batch, run, line) =>
      `同一 id 也出现在 ${batch} 的第 ${line} 行${run === 1 ? "" : `（第 ${run} 次运行）`}`,
    columns: { line: "行", sample: "样本", decision: "结论", answers: "答案", why: "原因" },
    noResults: "还没有这样的结果。",
    more: (count) => `……另有 ${count} 个；用 --limit 多看一些，或用 --out FILE 下载全部`,
    written: (file, bytes) => `已写入 ${file}（${bytes}）`,
  },
};
