/** The words of `touchstone probe`, in both languages. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { ProbeFindings } from "@touchstone/core/schema/probe";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const probeProblems = {
  badUrl: (url: string) =>
    text(
      `"${url}" is no address; give http(s)://host or sagemaker:ENDPOINT`,
      `“${url}”不是地址；请给出 http(s)://主机 或 sagemaker:端点名`,
    ),
  whichModel: (names: readonly string[]) =>
    text(
      `the server has ${names.length === 0 ? "not said which models it has" : `several models: ${names.join(", ")}`}; give --model M`,
      `${names.length === 0 ? "服务没有列出模型" : `服务有多个模型：${names.join("、")}`}；请给出 --model M`,
    ),
  failed: (why: string) => text(`the judge cannot be probed: ${why}`, `无法探测模型：${why}`),
} as const;

type Named<Value extends string> = Readonly<Record<Value, string>>;

export interface ProbeWords {
  readonly judge: (model: string, url: string) => string;
  readonly titles: Readonly<
    Record<"reasoning" | "guided" | "logprobs" | "bytes" | "topLogprobs" | "steady", string>
  >;
  readonly reasoning: Named<ProbeFindings["reasoning"]>;
  readonly guided: Named<ProbeFindings["guided"]>;
  readonly logprobs: Named<ProbeFindings["logprobs"]>;
  readonly bytes: Named<ProbeFindings["bytes"]>;
  readonly topLogprobs: (most: number) => string;
  readonly steady: (maxDelta: string) => string;
  readonly unsteady: (maxDelta: string) => string;
  readonly unknown: string;
  readonly stored: (uri: string, hash: string) => string;
  readonly notStored: string;
}

export const probeWords: Readonly<Record<Language, ProbeWords>> = {
  en: {
    judge: (model, url) => `${model} at ${url}`,
    titles: {
      reasoning: "thoughts",
      guided: "forced choices",
      logprobs: "probabilities",
      bytes: "bytes of tokens",
      topLogprobs: "alternatives",
      steady: "repeatability",
    },
    reasoning: {
      none: "none seen",
      "in-logprobs": "among the answer's tokens; skipped by alignment",
      apart: "in a field of their own",
      "in-content": "in the text before the answer",
    },
    guided: {
      unsupported: "refused",
      ignored: "ignored",
      "before-grammar": "kept; probabilities are those before the force",
      "after-grammar":
        "kept; probabilities are those after the force, so doubt about the form cannot be seen",
      unclear: "kept; probabilities cannot be told",
    },
    logprobs: {
      missing: "none: confidence needs judge.vote, or every sample goes to people",
      raw: "raw: temperature leaves them alone",
      processed: "processed: keep temperature 0 for judging",
      unclear: "come, but whether temperature changes them could not be told",
    },
    bytes: {
      true: "true ones",
      replaced: "those of U+FFFD where a character is cut; alignment goes by text",
      none: "none; alignment goes by text",
      unclear: "could not be told",
    },
    topLogprobs: (most) => `${most} of 20 asked for`,
    steady: (maxDelta) => `5 equal calls at once differ by at most ${maxDelta} nat`,
    unsteady: (maxDelta) =>
      `5 equal calls at once differ by ${maxDelta} nat: keep thresholds away from knife edges`,
    unknown: "could not be compared",
    stored: (uri, hash) => `Stored ${uri}; ${hash} is now part of the judge's fingerprint`,
    notStored:
      "Not stored: nothing is running. Start it with npm start, or name a deployment with --outputs FILE.",
  },
  zh: {
    judge: (model, url) => `${url} 上的 ${model}`,
    titles: {
      reasoning: "思考过程",
      guided: "强制选项",
      logprobs: "概率",
      bytes: "词元字节",
      topLogprobs: "备选词元",
      steady: "可重复性",
    },
    reasoning: {
      none: "未见",
      "in-logprobs": "混在答案的词元里；对齐时会跳过",
      apart: "在单独的字段里",
      "in-content": "在答案之前的文本里",
    },
    guided: {
      unsupported: "被拒绝",
      ignored: "被忽略",
      "before-grammar": "有效；概率是强制之前的",
      "after-grammar": "有效；概率是强制之后的，看不出对格式的犹豫",
      unclear: "有效；概率无法判断",
    },
    logprobs: {
      missing: "没有：需要 judge.vote，否则全部人审",
      raw: "原始概率：不受温度影响",
      processed: "经过处理：评审时温度要保持为 0",
      unclear: "有，但无法判断是否受温度影响",
    },
    bytes: {
      true: "真实字节",
      replaced: "被切开的字符给的是 U+FFFD；按文本对齐",
      none: "没有；按文本对齐",
      unclear: "无法判断",
    },
    topLogprobs: (most) => `要 20 个，给了 ${most} 个`,
    steady: (maxDelta) => `5 次相同请求同时发出，最多相差 ${maxDelta} nat`,
    unsteady: (maxDelta) => `5 次相同请求同时发出，相差 ${maxDelta} nat：门槛要避开临界值`,
    unknown: "无法比较",
    stored: (uri, hash) => `已存入 ${uri}；${hash} 现在是模型指纹的一部分`,
    notStored: "没有存储：没有正在运行的环境。请先执行 npm start，或用 --outputs FILE 指定已部署的环境。",
  },
};
