/** The words around a rebuilt prompt, in both languages; `results --prompt` uses them. */
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const promptWords = {
  needsSample: () =>
    text(
      "--prompt rebuilds the prompt of one sample; give --sample ID",
      "--prompt 重建一个样本的提示词；请给出 --sample ID",
    ),
  noPrompt: (sampleId: string) =>
    text(
      `no judge was asked about "${sampleId}", so there is no prompt`,
      `“${sampleId}”没有询问过模型，因此没有提示词`,
    ),
  gone: (what: Text) =>
    text(
      `the prompt cannot be rebuilt: ${what.en} is no longer stored`,
      `无法重建提示词：${what.zh}已不再保存`,
    ),
  template: () => text("the template version", "任务模版的该版本"),
  source: (line: number) => text(`line ${line} of the batch file`, `批次文件的第 ${line} 行`),
  gist: (ref: string) => text(`the gist of ${ref}`, `${ref} 的图片梗概`),
  examplesOrPicture: () => text("an example version or a staged picture", "示例的该版本或暂存的图片"),
  differs: (stored: string, rebuilt: string) =>
    text(
      `the rebuilt prompt is another one: SHA-256 ${rebuilt}, stored ${stored}; was it built by another version of the code?`,
      `重建的提示词与当时的不同：SHA-256 为 ${rebuilt}，存储的是 ${stored}；是否由另一版本的代码生成？`,
    ),
  equal: (sha256: string) =>
    text(`SHA-256 ${sha256}, equal to the stored one`, `SHA-256 ${sha256}，与存储的一致`),
  picture: (mediaType: string, bytes: string) => text(`[${mediaType}, ${bytes}]`, `[${mediaType}，${bytes}]`),
} as const;
