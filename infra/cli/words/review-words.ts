/** What the review commands say; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { reviewKinds } from "@touchstone/core/schema/review";
import type { ReviewErrorKind } from "@touchstone/core/schema/review-api";
import type { Field } from "@touchstone/core/schema/template";
import type { Text } from "../problem.ts";

const text = (en: string, zh: string): Text => ({ en, zh });

/** By the kind of error that the API answers with; `message` is the API's own. */
export const reviewErrors: Readonly<Record<ReviewErrorKind, (message: string) => Text>> = {
  "bad-request": (message) =>
    text(`the review API refused the request: ${message}`, `人审接口拒绝了请求：${message}`),
  "not-found": () =>
    text(
      "there is no such review task; list the open ones with: review list",
      "没有这个人审任务；用 review list 列出待领取的任务",
    ),
  "not-yours": () =>
    text(
      "you have answered this sample before; a second look must be somebody else's",
      "您已回答过该样本；复核须由他人完成",
    ),
  "nothing-open": () =>
    text(
      "no review task is open for you; see who holds what with: status",
      "没有可领取的人审任务；用 status 查看",
    ),
  "lease-lost": (message) =>
    text(
      `the task is not in your hands: ${message}; claim it (again) first`,
      `任务不在你手中（${message}）；请先（重新）领取`,
    ),
  "already-decided": (message) =>
    text(`the task has its verdict already: ${message}`, `该任务已有结论：${message}`),
  "bad-verdict": (message) => text(`the answer does not fit: ${message}`, `答案不合要求：${message}`),
};

export const reviewProblems = {
  forbidden: () =>
    text(
      "the review API refused your credentials; they need execute-api:Invoke on it",
      "人审接口拒绝了你的凭证；需要对该接口的 execute-api:Invoke 权限",
    ),
  failed: (status: number) =>
    text(
      `the review API failed with status ${status}; try again, then read the review function's log`,
      `人审接口出错，状态码 ${status}；请重试，仍失败则查看 review 函数的日志`,
    ),
  strange: () =>
    text(
      "the review API answered in a shape of another version; deploy this version",
      "人审接口的应答不是本版本的格式；请部署本版本",
    ),
  taskAndQueue: () =>
    text(
      "--from-queue takes the hint that comes; it does not go with --task or --id",
      "--from-queue 按队列顺序领取，不能与 --task 或 --id 同用",
    ),
  queueEmpty: () =>
    text(
      "the review queue is empty; claim from the list instead: review claim",
      "人审队列为空；可改用 review claim 直接领取",
    ),
  noClaim: (part: string) =>
    text(
      `"${part}" is not among the tasks claimed from here; claim it first: review claim --id ID`,
      `“${part}”不在本机领取的任务中；请先领取：review claim --id ID`,
    ),
  manyClaims: (part: string, ids: readonly string[]) =>
    text(
      `"${part}" fits several claimed tasks: ${ids.join(", ")}; give a longer part`,
      `“${part}”对应多个已领取的任务：${ids.join(", ")}；请给出更长的一段`,
    ),
  badClaims: (file: string) =>
    text(
      `${file} is damaged; remove it and claim your tasks again when their leases have run out`,
      `${file} 已损坏；请删除，并在租约到期后重新领取任务`,
    ),
  badAnswer: (given: string) =>
    text(`"${given}" is no answer; write field=code`, `“${given}”不是答案；请写成 字段=代码`),
  twiceAnswered: (field: string) => text(`field "${field}" is answered twice`, `字段“${field}”给了两次答案`),
  noReviewer: () => text("who are you? give --reviewer NAME", "请用 --reviewer 给出审核人姓名"),
} as const;

export interface ReviewWords {
  readonly kinds: Readonly<Record<(typeof reviewKinds)[number], string>>;
  readonly columns: {
    readonly sample: string;
    readonly task: string;
    readonly kind: string;
    readonly priority: string;
    readonly due: string;
    readonly id: string;
  };
  readonly noneOpen: string;
  readonly listCut: (count: number) => string;
  readonly header: (task: string, priority: string, due: string) => string;
  readonly held: (reviewer: string, until: string) => string;
  readonly why: string;
  readonly blind: string;
  readonly standard: string;
  readonly moreLines: (count: number) => string;
  readonly questions: string;
  readonly optional: string;
  readonly howTo: Readonly<Record<Field["kind"], string>>;
  readonly machine: string;
  readonly ownWords: string;
  readonly answerWith: (command: string) => string;
  readonly giveBackWith: (command: string) => string;
  readonly released: (sampleId: string) => string;
  readonly accepted: (sampleId: string) => string;
  readonly passedOver: (sampleId: string, why: string) => string;
  readonly parts: {
    readonly input: string;
    readonly output: string;
    readonly reference: string;
    readonly candidate: (id: string) => string;
    readonly deliverable: (name: string) => string;
    readonly executions: string;
    readonly meta: string;
    /** By the number that the judge names it by, too. */
    readonly picture: (number: number, ref: string) => string;
    readonly video: (number: number, ref: string) => string;
  };
  readonly roles: Readonly<Record<"system" | "user" | "assistant" | "tool", string>>;
}

export const reviewWords: Readonly<Record<Language, ReviewWords>> = {
  en: {
    kinds: { review: "review", audit: "blind check", adjudicate: "second blind check" },
    columns: { sample: "sample", task: "task", kind: "kind", priority: "priority", due: "due", id: "id" },
    noneOpen: "No review task is open.",
    listCut: (count) => `The first ${count} are shown, most useful first.`,
    header: (task, priority, due) => `task ${task} · priority ${priority} · due ${due}`,
    held: (reviewer, until) => `held by ${reviewer} until ${until}`,
    why: "Why a person is asked",
    blind: "A blind check: the machine's answers are not shown.",
    standard: "Standard",
    moreLines: (count) => `… ${count} more lines; see all with --full`,
    questions: "Questions",
    optional: "optional",
    howTo: {
      label: "one code",
      ordinal: "one code, worst first",
      labels: "codes, separated by commas",
      text: "text",
      list: "ids, separated by commas",
    },
    machine: "machine",
    ownWords: "No template took this sample: answer in words of your own, e.g. task=shop-dialogue",
    answerWith: (command) => `Answer with: ${command}`,
    giveBackWith: (command) => `Give it back with: ${command}`,
    released: (sampleId) => `Gave back ${sampleId}; others can claim it now.`,
    accepted: (sampleId) => `Stored the verdict on ${sampleId}.`,
    passedOver: (sampleId, why) => `passed over the hint to ${sampleId}: ${why}`,
    parts: {
      input: "input",
      output: "output",
      reference: "reference",
      candidate: (id) => `candidate ${id}`,
      deliverable: (name) => `deliverable ${name}`,
      executions: "executions",
      meta: "meta",
      picture: (number, ref) => `[image ${number}: ${ref}]`,
      video: (number, ref) => `[video ${number}: ${ref}]`,
    },
    roles: { system: "system", user: "user", assistant: "assistant", tool: "tool" },
  },
  zh: {
    kinds: { review: "人审", audit: "盲审", adjudicate: "盲审复核" },
    columns: { sample: "样本", task: "任务", kind: "类型", priority: "优先级", due: "截止", id: "id" },
    noneOpen: "没有待领取的人审任务。",
    listCut: (count) => `仅显示最有价值的前 ${count} 个。`,
    header: (task, priority, due) => `任务 ${task} · 优先级 ${priority} · 截止 ${due}`,
    held: (reviewer, until) => `由 ${reviewer} 领取，到 ${until}`,
    why: "为什么需要人审",
    blind: "盲审：不显示机器的答案。",
    standard: "标注标准",
    moreLines: (count) => `……另有 ${count} 行；用 --full 查看全部`,
    questions: "问题",
    optional: "可不填",
    howTo: {
      label: "一个代码",
      ordinal: "一个代码，由差到好",
      labels: "多个代码，用逗号分隔",
      text: "文字",
      list: "多个 id，用逗号分隔",
    },
    machine: "机器",
    ownWords: "没有模版接收该样本：请自行作答，例如 task=shop-dialogue",
    answerWith: (command) => `作答：${command}`,
    giveBackWith: (command) => `放回：${command}`,
    released: (sampleId) => `已放回 ${sampleId}，其他人可以领取。`,
    accepted: (sampleId) => `已保存对 ${sampleId} 的结论。`,
    passedOver: (sampleId, why) => `跳过队列中的 ${sampleId}：${why}`,
    parts: {
      input: "输入",
      output: "输出",
      reference: "参考",
      candidate: (id) => `候选 ${id}`,
      deliverable: (name) => `交付物 ${name}`,
      executions: "执行结果",
      meta: "元数据",
      picture: (number, ref) => `[图${number}：${ref}]`,
      video: (number, ref) => `[视频${number}：${ref}]`,
    },
    roles: { system: "系统", user: "用户", assistant: "助手", tool: "工具" },
  },
};
