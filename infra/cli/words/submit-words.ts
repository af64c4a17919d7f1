/** What `submit` says; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const submitProblems = {
  noFolder: (dir: string) => text(`there is no folder ${dir}`, `没有文件夹 ${dir}`),
  noBatchFile: (dir: string) =>
    text(
      `${dir} holds no samples; put samples.jsonl, samples.jsonl.gz or samples.csv there`,
      `${dir} 中没有样本；请放入 samples.jsonl、samples.jsonl.gz 或 samples.csv`,
    ),
  badTask: (task: string) =>
    text(
      `"${task}" is no task name (1 to 64 of a-z, 0-9 and -); give one with --task`,
      `“${task}”不是合法的任务名（1 到 64 个 a-z、0-9 和 -）；请用 --task 指定`,
    ),
  badBatch: (batch: string) =>
    text(
      `"${batch}" is no batch name: it must not be empty or hold a slash; give one with --batch`,
      `“${batch}”不是合法的批次名：不能为空，也不能含斜杠；请用 --batch 指定`,
    ),
  otherTask: (file: string, inTemplate: string, asked: string) =>
    text(
      `${file} is the template of task "${inTemplate}", not of "${asked}"; change one of them`,
      `${file} 是任务“${inTemplate}”的模版，而不是“${asked}”的；请改其中一个`,
    ),
  noTemplateThere: (dir: string) => text(`${dir} holds no template.yaml`, `${dir} 中没有 template.yaml`),
  notUtf8: (file: string) =>
    text(`${file}: not UTF-8 text; save it as UTF-8`, `${file}：不是 UTF-8 文本；请另存为 UTF-8`),
  badFile: (file: string, problems: string) => text(`${file}: ${problems}`, `${file}：${problems}`),
  longKey: (key: string, bytes: number) =>
    text(
      `the key ${key} has ${bytes} bytes and S3 takes 1024; shorten the folder or the batch name`,
      `对象键 ${key} 有 ${bytes} 字节，而 S3 最多 1024；请缩短文件夹名或批次名`,
    ),
  twice: (key: string) =>
    text(
      `two files would both become ${key}; rename one of them`,
      `两个文件会写到同一个键 ${key}；请改其中一个的名字`,
    ),
  notVersioned: (bucket: string) =>
    text(
      `bucket ${bucket} keeps no versions; turn versioning on, as the storage stack does`,
      `存储桶 ${bucket} 没有开启版本；请开启（storage stack 默认开启）`,
    ),
} as const;

export interface SubmitWords {
  readonly noTemplate: (task: string) => string;
  readonly sameVersion: (file: string, version: number) => string;
  readonly skipped: (path: string) => string;
  readonly emptyFile: (path: string) => string;
  readonly uploading: (done: number, total: number, key: string) => string;
  readonly submitted: (task: string, batch: string, files: number, media: number) => string;
  readonly next: (part: string) => string;
  readonly warning: string;
}

export const submitWords: Readonly<Record<Language, SubmitWords>> = {
  en: {
    noTemplate: (task) =>
      `task "${task}" has no template yet: samples that no other template takes go to people as unrouted`,
    sameVersion: (file, version) =>
      `${file} differs from the stored template, yet both are version ${version}; raise the version when you edit`,
    skipped: (path) => `${path} is not sent: it is neither a file nor a link to one`,
    emptyFile: (path) => `${path} is empty`,
    uploading: (done, total, key) => `${done}/${total}  ${key}`,
    submitted: (task, batch, files, media) =>
      `Submitted ${files === 1 ? "1 batch file" : `${files} batch files`} and ${media} media files: task ${task}, batch ${batch}`,
    next: (part) => `See what becomes of it: npm run touchstone -- status --batch ${part}`,
    warning: "note:",
  },
  zh: {
    noTemplate: (task) => `任务“${task}”还没有模版：没有其他模版接收的样本会以“没有匹配的任务模版”进入人审`,
    sameVersion: (file, version) => `${file} 与已存的模版不同，但版本同为 ${version}；修改模版时请提高版本号`,
    skipped: (path) => `未上传 ${path}：它既不是文件，也不是指向文件的链接`,
    emptyFile: (path) => `${path} 是空文件`,
    uploading: (done, total, key) => `${done}/${total}  ${key}`,
    submitted: (task, batch, files, media) =>
      `已提交 ${files} 个批次文件、${media} 个媒体文件：任务 ${task}，批次 ${batch}`,
    next: (part) => `查看进度：npm run touchstone -- status --batch ${part}`,
    warning: "注意：",
  },
};
