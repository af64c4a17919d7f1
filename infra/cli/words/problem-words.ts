/** What the CLI says when it cannot go on, and what to do then; Chinese and English. */
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

export const problemWords = {
  nothingRuns: () =>
    text(
      "nothing is running; start it with npm start (or name a deployment with --outputs FILE)",
      "没有正在运行的环境；请先执行 npm start（或用 --outputs FILE 指定已部署的环境）",
    ),
  notAnswering: (where: string) =>
    text(
      `nothing answers at ${where}; start it again with npm start`,
      `${where} 没有应答；请重新执行 npm start`,
    ),
  badSession: (file: string) =>
    text(
      `${file} is not a session file of this version; stop and start again with npm start`,
      `${file} 不是本版本的会话文件；请停止后重新执行 npm start`,
    ),
  noOutputs: (file: string) =>
    text(
      `${file} is not readable as stack outputs; write it with: npm run deploy`,
      `无法把 ${file} 读作部署输出；请用 npm run deploy 生成`,
    ),
  missingOutput: (key: string) =>
    text(
      `the outputs name no ${key}; deploy all stacks of this version: npm run deploy`,
      `部署输出中没有 ${key}；请部署本版本的全部 stack：npm run deploy`,
    ),
  doubleOutput: (key: string, one: string, other: string) =>
    text(
      `${key} stands in the outputs of ${one} and of ${other}; keep one deployment per file`,
      `${key} 同时出现在 ${one} 和 ${other} 的输出中；一个文件只能放一套部署`,
    ),
  noRegion: () =>
    text(
      "no AWS region is set; set AWS_REGION, or AWS_PROFILE with a profile that has one",
      "没有设置 AWS 区域；请设置 AWS_REGION，或带区域的 AWS_PROFILE",
    ),
  noCredentials: () =>
    text(
      "no AWS credentials are found; log in, or set AWS_PROFILE",
      "找不到 AWS 凭证；请先登录，或设置 AWS_PROFILE",
    ),
  strangeHint: (messageId: string) =>
    text(
      `message ${messageId} of the review queue is no hint of this version; look at who else sends to it`,
      `人审队列中的消息 ${messageId} 不是本版本的提示；请查看是谁在往队列里发消息`,
    ),
  unknownLanguage: (asked: string) =>
    text(`there is no language "${asked}"; use --lang zh or --lang en`, `没有语言“${asked}”；请用 zh 或 en`),
  notANumber: (option: string, asked: string) =>
    text(
      `${option} takes a whole number from 1, not "${asked}"`,
      `${option} 需要从 1 起的整数，而不是“${asked}”`,
    ),
  unknownDecision: (asked: string) =>
    text(
      `there is no decision "${asked}"; use machine, review, invalid or failed`,
      `没有结论“${asked}”；请用 machine、review、invalid 或 failed`,
    ),
  noBatch: (part: string) =>
    text(
      `no batch has "${part}" in its id; list them with: status --all`,
      `没有 id 含“${part}”的批次；用 status --all 列出全部批次`,
    ),
  manyBatches: (part: string, names: readonly string[], more: number) => {
    const shown = names.join(", ");
    return text(
      `"${part}" fits several batches: ${shown}${more > 0 ? ` and ${more} more` : ""}; give a longer part`,
      `“${part}”对应多个批次：${shown}${more > 0 ? ` 等，另有 ${more} 个` : ""}；请给出更长的一段`,
    );
  },
  batchOrSample: () =>
    text("give --batch B, or --sample ID, or both", "请给出 --batch B 或 --sample ID，也可以同时给出"),
  outNeedsBatch: () =>
    text("--out downloads the file of a batch; give --batch B", "--out 下载整个批次的文件；请给出 --batch B"),
  runNeedsBatch: () =>
    text("--run names a run of one batch; give --batch B", "--run 指定某个批次的运行；请给出 --batch B"),
  notDecided: (name: string, missing: number) =>
    text(
      `batch ${name} has no result file yet: ${missing} samples have no outcome; wait, and see: status --batch`,
      `批次 ${name} 还没有结果文件：${missing} 个样本尚无结论；请等待，并查看 status --batch`,
    ),
  noSample: (id: string, batches: number) =>
    text(
      `no sample "${id}" has a result in ${batches} batches; if its batch is still at work, see: status`,
      `在 ${batches} 个批次中没有样本“${id}”的结果；若批次仍在处理，请查看 status`,
    ),
  cannotWrite: (file: string, why: string) =>
    text(`cannot write ${file}: ${why}`, `无法写入 ${file}：${why}`),
} as const;
