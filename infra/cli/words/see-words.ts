/** What `see` says; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { PictureNote } from "@touchstone/core/schema/gist";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const seeProblems = {
  noFile: (file: string) => text(`there is no file or folder ${file}`, `没有文件或文件夹 ${file}`),
  noPictures: (folder: string, others: number) =>
    text(
      `no picture or video lies in ${folder} (${others} other files); a file that is named alone is looked at whatever it is called`,
      `${folder} 中没有图片或视频（其他文件 ${others} 个）；单独给出的文件无论扩展名都会查看`,
    ),
} as const;

export interface SeeWords {
  readonly title: string;
  readonly notes: Readonly<Record<PictureNote, string>>;
  readonly done: string;
  readonly untouched: string;
  readonly size: (width: number, height: number, from: string, to: string) => string;
  readonly pieces: (count: number) => string;
  readonly strategy: string;
  readonly unsure: string;
  readonly gist: string;
  readonly emptyGist: string;
  readonly flags: string;
  readonly noFlags: string;
  readonly problem: string;
  readonly failed: string;
  readonly tokens: (tokens: number, seconds: string) => string;
  readonly models: (strategy: string, captioner: string) => string;
  readonly embedded: string;
  readonly starting: string;
  readonly looking: (at: number, of: number, file: string) => string;
  readonly others: (count: number) => string;
  readonly total: (pictures: number, flagged: number, problems: number, failed: number) => string;
  readonly page: (file: string) => string;
}

export const seeWords: Readonly<Record<Language, SeeWords>> = {
  en: {
    title: "What was seen",
    notes: {
      turned: "turned by its EXIF mark",
      "first-frame": "first frame of an animation",
      "sixteen-bit": "16 bits a channel scaled to 8",
      cmyk: "CMYK turned into RGB",
      "on-white": "transparency laid on white",
      "on-grey": "transparency laid on grey",
      "on-dark": "transparency laid on a dark ground",
      shrunk: "shrunk",
      enlarged: "enlarged",
      padded: "padded to a shape that models take",
      tiled: "cut into overlapping pieces",
    },
    done: "Done to it",
    untouched: "nothing but re-encoding",
    size: (width, height, from, to) => `${width}×${height}, ${from} → ${to}`,
    pieces: (count) => `${count} pieces`,
    strategy: "Strategy",
    unsure: "unsure, so both styles",
    gist: "Gist",
    emptyGist: "(empty)",
    flags: "Flags",
    noFlags: "none",
    problem: "Not described",
    failed: "The models failed",
    tokens: (tokens, seconds) => `${tokens} tokens, ${seconds} s`,
    models: (strategy, captioner) => `Strategy: ${strategy}\nCaptioner: ${captioner}`,
    embedded: "embedded",
    starting: "starting the embedded models …",
    looking: (at, of, file) => `${at}/${of} ${file}`,
    others: (count) => (count === 1 ? "1 other file is left out" : `${count} other files are left out`),
    total: (pictures, flagged, problems, failed) =>
      `${pictures} ${pictures === 1 ? "file" : "files"}: ${flagged} with flags, ${problems} not described${failed === 0 ? "" : `, ${failed} failed`}`,
    page: (file) => `The page: ${file}`,
  },
  zh: {
    title: "看到了什么",
    notes: {
      turned: "按 EXIF 转正",
      "first-frame": "取动图首帧",
      "sixteen-bit": "16 位通道压到 8 位",
      cmyk: "CMYK 转 RGB",
      "on-white": "透明部分垫白底",
      "on-grey": "透明部分垫灰底",
      "on-dark": "透明部分垫深底",
      shrunk: "缩小",
      enlarged: "放大",
      padded: "补边到模型接受的形状",
      tiled: "切成有重叠的几段",
    },
    done: "处理",
    untouched: "仅重新编码",
    size: (width, height, from, to) => `${width}×${height}，${from} → ${to}`,
    pieces: (count) => `${count} 段`,
    strategy: "描述策略",
    unsure: "拿不准，按图文并重",
    gist: "图片梗概",
    emptyGist: "（空）",
    flags: "标记",
    noFlags: "无",
    problem: "未描述",
    failed: "模型出错",
    tokens: (tokens, seconds) => `${tokens} token，${seconds} 秒`,
    models: (strategy, captioner) => `策略模型：${strategy}\n梗概模型：${captioner}`,
    embedded: "内置",
    starting: "正在启动内置模型 …",
    looking: (at, of, file) => `${at}/${of} ${file}`,
    others: (count) => `另有 ${count} 个文件未看`,
    total: (pictures, flagged, problems, failed) =>
      `${pictures} 个文件：${flagged} 个有标记，${problems} 个未描述${failed === 0 ? "" : `，${failed} 个模型出错`}`,
    page: (file) => `页面：${file}`,
  },
};
