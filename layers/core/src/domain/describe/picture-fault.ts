/** Why a file is not a picture for models: its kind, words for people, and what it may mean for the sample. Used by DESCRIBE. */
import type { FoundFault, MediaProblem, PictureFault } from "../../schema/gist.ts";

export interface FaultRule {
  readonly kind: Extract<MediaProblem["kind"], "unreadable" | "unsupported" | "too-large">;
  /**
   * `sender`: what the template's media policy says of unreadable pictures. `reader`: the file may well be sound and only
   * we cannot take it, so the policy `invalid` is softened to `review`: calling it invalid would flatter the review rate.
   */
  readonly blame: "sender" | "reader";
  readonly zh: (detail: string) => string;
  readonly en: (detail: string) => string;
}

export const faultRules: Readonly<Record<PictureFault, FaultRule>> = {
  "empty-file": {
    kind: "unreadable",
    blame: "sender",
    zh: () => "文件是空的（0 字节）；请重新上传图片",
    en: () => "the file is empty (0 bytes); upload the picture again",
  },
  "web-page": {
    kind: "unreadable",
    blame: "sender",
    zh: () => "文件其实是一个网页（多为下载失败的报错页），不是图片；请上传图片本身",
    en: () =>
      "the file is a web page, most likely an error page saved as a picture; upload the picture itself",
  },
  "no-picture": {
    kind: "unreadable",
    blame: "sender",
    zh: (detail) => `文件不是图片（${detail}）；请上传 JPEG、PNG、WebP、GIF 或 AVIF`,
    en: (detail) => `the file is no picture (${detail}); send JPEG, PNG, WebP, GIF or AVIF`,
  },
  "format-not-read": {
    kind: "unsupported",
    blame: "reader",
    zh: (detail) => `文件实际是 ${detail} 格式，这里不读取；请转成 JPEG 或 PNG 再上传`,
    en: (detail) => `the file is really ${detail}, which is not read here; convert it to JPEG or PNG`,
  },
  "cut-off": {
    kind: "unreadable",
    blame: "sender",
    zh: (detail) => `${detail} 文件不完整，后半部分缺失；请重新上传`,
    en: (detail) => `the ${detail} file is cut off, its end is missing; send it again`,
  },
  damaged: {
    kind: "unreadable",
    blame: "sender",
    zh: (detail) => `图片文件已损坏（${detail}）；请重新上传`,
    en: (detail) => `the picture is damaged (${detail}); send it again`,
  },
  "too-many-pixels": {
    kind: "too-large",
    blame: "reader",
    zh: (detail) => `图片太大（${detail}）；请缩小后再上传`,
    en: (detail) => `the picture is too large (${detail}); shrink it`,
  },
  "too-few-pixels": {
    kind: "unreadable",
    blame: "sender",
    zh: (detail) => `图片只有 ${detail} 像素，看不出任何内容（可能是占位图）；请上传原图`,
    en: (detail) =>
      `the picture has only ${detail} pixels and shows nothing, as placeholders do; send the original`,
  },
  "too-slow": {
    kind: "too-large",
    blame: "reader",
    zh: (detail) => `图片解码超过 ${detail} 秒；请重新导出为普通的 JPEG 或 PNG`,
    en: (detail) => `the picture took over ${detail} s to decode; export it as a plain JPEG or PNG`,
  },
};

/** A media problem that a file itself is the reason of; in English, as it is stored. */
export const faultProblem = (ref: string, fault: FoundFault): MediaProblem => ({
  ref,
  kind: faultRules[fault.name].kind,
  fault,
  message: faultRules[fault.name].en(fault.detail).slice(0, 500),
});

/** What was written with {@link faultProblem}'s message in it, in the language of who reads it. */
export const translateFault = (text: string, fault: FoundFault, language: "zh" | "en"): string => {
  const rule = faultRules[fault.name];
  return text.replace(rule.en(fault.detail), () => rule[language](fault.detail));
};
