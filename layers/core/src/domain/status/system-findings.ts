/** What is the matter with the deployment as a whole: files nobody took in, dead letters, templates, endpoints, budgets. */
import { type QueueName, queueNames } from "../../pipeline.ts";
import type { EndpointName } from "../../schema/pressure.ts";
import { breakerPhase } from "../pressure/breaker.ts";
import { durationText } from "./duration-text.ts";
import type { StatusFacts } from "./facts.ts";
import type { Finding, FindingCode, FindingText, Severity } from "./finding.ts";

const finding = (code: FindingCode, severity: Severity, text: FindingText): Finding => ({
  code,
  severity,
  batch: null,
  run: null,
  text,
});

/** S3 announces a file within seconds as a rule. */
const announcedWithinMs = 60_000;
const namesShown = 3;

const someOf = (names: readonly string[]): FindingText => {
  const shown = names.slice(0, namesShown).join(", ");
  const more = names.length - namesShown;
  return more > 0
    ? { en: `${shown} and ${more} more`, zh: `${shown} 等共 ${names.length} 个` }
    : { en: shown, zh: shown };
};

/** Files that lie in the inbox and became no batch. */
export const looseFileFindings = ({ looseFiles, queues, now, timing }: StatusFacts): readonly Finding[] => {
  const late = looseFiles.filter(({ modifiedAt }) => now - modifiedAt >= announcedWithinMs);
  if (late.length === 0) return [];
  const names = someOf(late.map(({ key }) => key));
  const { waiting, inFlight, delayed } = queues.uploads;
  if (waiting + inFlight + delayed > 0)
    return [
      finding("not-taken-in", "waiting", {
        en: `${names.en}: not taken in yet; ${waiting + delayed} upload messages wait for INTAKE and ${inFlight} are in its hands. Wait; if the numbers stand still, look at INTAKE's log.`,
        zh: `${names.zh}：尚未读取；有 ${waiting + delayed} 条上传消息在等 INTAKE，${inFlight} 条正在处理。请等待；若数字不变，请查看 INTAKE 的日志。`,
      }),
    ];
  const heals = durationText((timing.sweep.quietAfter + timing.sweep.period) * 1000);
  return [
    finding("not-taken-in", "blocked", {
      en: `${names.en}: lies in the inbox, and no event has announced it. SWEEP announces such a file by itself once it is ${heals.en} old (later in a large inbox); after that, check the bucket's notifications and that the uploads dead-letter queue is empty.`,
      zh: `${names.zh}：已在收件目录，但没有事件通知。文件放置约 ${heals.zh}后 SWEEP 会自行补发通知（收件目录很大时会更晚）；若之后仍无批次，请检查存储桶的事件通知和 uploads 死信队列。`,
    }),
  ];
};

/** What failed five times lies apart until a person sends it back. */
export const deadLetterFindings = ({ queues }: StatusFacts): readonly Finding[] =>
  queueNames
    .filter((name: QueueName) => queues[name].dead > 0)
    .map((name) =>
      finding("dead-letters", "blocked", {
        en: `${queues[name].dead} messages lie in the dead-letter queue of ${name}. Look at them (redrive ${name} --dry-run) and at the function's log, remove the cause, then: redrive ${name}`,
        zh: `${name} 的死信队列中有 ${queues[name].dead} 条消息。先用 redrive ${name} --dry-run 查看，并看函数日志；排除原因后执行：redrive ${name}`,
      }),
    );

/** A broken template stops its task; the message names line and field. */
export const brokenTemplateFindings = ({ templates }: StatusFacts): readonly Finding[] =>
  templates.flatMap((template) =>
    template.state === "broken"
      ? [
          finding("template-broken", "blocked", {
            en: `The template of ${template.task} is broken, so its samples go to people unrouted: ${template.message}. Correct and upload it (submit checks it first), then: replay --batch B --only review`,
            zh: `任务 ${template.task} 的模版有错，其样本只能转人审：${template.message}。改正并上传（submit 会先检查），然后执行：replay --batch B --only review`,
          }),
        ]
      : [],
  );

const endpointTexts: Readonly<Record<EndpointName, FindingText>> = {
  judge: { en: "the judge", zh: "评审模型（judge）" },
  captioner: { en: "the captioner", zh: "识图模型（captioner）" },
  strategy: { en: "the image strategy endpoint", zh: "图片策略端点（strategy）" },
};

const causeText = (reason: string | null): FindingText => {
  switch (reason) {
    case "throttled":
      return { en: "it throttles", zh: "被限流" };
    case "timed-out":
      return { en: "its calls time out", zh: "调用超时" };
    case "unusable":
      return { en: "it cannot be reached, or does not let us in", zh: "无法连接，或拒绝访问" };
    default:
      return { en: `its calls fail (${reason ?? "unknown"})`, zh: `调用失败（${reason ?? "原因未知"}）` };
  }
};

/** Endpoints whose breaker is open: all workers leave them alone. */
export const heldEndpointFindings = ({ breakers, now }: StatusFacts): readonly Finding[] =>
  breakers.flatMap((breaker) => {
    const phase = breakerPhase(breaker, now);
    if (phase.kind === "closed") return [];
    const name = endpointTexts[breaker.endpoint];
    const since = durationText(now - (breaker.openedAt ?? now));
    const cause = causeText(breaker.reason);
    const next =
      phase.kind === "open"
        ? {
            en: `next try in ${durationText(phase.until - now).en}`,
            zh: `${durationText(phase.until - now).zh}后再试`,
          }
        : { en: "a call is being tried now", zh: "正在试探性调用" };
    return [
      finding("endpoint-held", "blocked", {
        en: `For ${since.en} ${name.en} has been left alone: ${cause.en}; ${next.en}. Samples wait and lose no attempt; see to the endpoint, the rest goes on by itself.`,
        zh: `${name.zh}已暂停调用 ${since.zh}：${cause.zh}；${next.zh}。样本在等待，不消耗重试次数；请处理端点，恢复后自动继续。`,
      }),
    ];
  });

/** Batches that have spent their judge calls. */
export const budgetFindings = ({ budgets, batches }: StatusFacts): readonly Finding[] =>
  budgets.flatMap(({ batch, run, task, limit, left }) => {
    const waits = batches.some(
      ({ record, undecided }) => record.batch === batch && record.run === run && undecided > 0,
    );
    if (left > 0 || !waits) return [];
    return [
      {
        ...finding("budget-spent", "blocked", {
          en: `The budget of ${limit} judge calls for ${task} is spent; the remaining samples wait. To go on: touchstone budget --batch B --calls N.`,
          zh: `任务 ${task} 的 ${limit} 次评审调用预算已用完，其余样本在等待。若要继续：touchstone budget --batch B --calls N。`,
        }),
        batch,
        run,
      },
    ];
  });
