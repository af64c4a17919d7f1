/** Why undecided samples of a batch do not move: late pictures, models that put them off, lost messages, idle workers. */
import { maxResends, visibilityFactor } from "../../timing.ts";
import { nextResendAt } from "../ledger/resend.ts";
import { breakerPhase } from "../pressure/breaker.ts";
import { durationText } from "./duration-text.ts";
import type { BatchFacts, QueueFacts, StatusFacts } from "./facts.ts";
import type { Finding, Teller } from "./finding.ts";

const total = ({ waiting, inFlight, delayed }: QueueFacts): number => waiting + inFlight + delayed;

/** Nothing where the samples move, or where an open breaker or a spent budget says it all. */
export const modelFindings = (batch: BatchFacts, facts: StatusFacts, told: Teller): readonly Finding[] => {
  const { record, undecided } = batch;
  if (record.sealed === undefined || undecided === 0 || isExplained(batch, facts)) return [];
  const media = mediaFindings(batch, facts, told);
  const delays = media.length > 0 ? [] : delayFindings(batch, facts, told);
  const found = [...media, ...delays];
  if (found.length > 0) return found;
  return [...quietFindings(batch, facts, told), ...idleFindings(batch, facts, told)].slice(0, 1);
};

const isExplained = ({ record }: BatchFacts, { breakers, budgets, queues, now }: StatusFacts): boolean => {
  const isOnItsWay = total(queues.describe) + total(queues.score) > 0;
  const isHeld = breakers.some((breaker) => breakerPhase(breaker, now).kind !== "closed");
  const isSpent = budgets.some(
    ({ batch, run, left }) => batch === record.batch && run === record.run && left <= 0,
  );
  return isOnItsWay && (isHeld || isSpent);
};

const picturesShown = 3;

const mediaFindings = (batch: BatchFacts, { now }: StatusFacts, told: Teller): readonly Finding[] => {
  const { missingMedia, mediaUntil } = batch;
  if (missingMedia.length === 0 || mediaUntil === null || mediaUntil <= now) return [];
  const names = missingMedia.slice(0, picturesShown);
  const more = missingMedia.length - names.length;
  const left = durationText(mediaUntil - now);
  return [
    told("media-awaited", "waiting", {
      en: `Pictures that the batch refers to are not there: ${names.map(({ ref, line }) => `${ref} (line ${line})`).join(", ")}${more > 0 ? ` and ${more} more` : ""}. They are waited for, ${left.en} more; upload them beside the batch file, or the samples end as the template says.`,
      zh: `批次引用的图片还没有到：${names.map(({ ref, line }) => `${ref}（第 ${line} 行）`).join("、")}${more > 0 ? ` 等共 ${missingMedia.length} 张` : ""}。还会等待 ${left.zh}；请上传到批次文件旁边，否则样本按模版规定结束。`,
    }),
  ];
};

/** Without a breaker that is open, samples that come back with a delay tell on the model themselves. */
const delayFindings = (
  { samples, hasMedia }: BatchFacts,
  { queues }: StatusFacts,
  told: Teller,
): readonly Finding[] => {
  const { delayed: scoring } = queues.score;
  const { delayed: describing } = queues.describe;
  if (scoring > 0 && samples.failed > 0)
    return [
      told("endpoint-failing", "blocked", {
        en: `Calls of the judge fail, and ${scoring} samples are to be tried again later. Look at the endpoint and at SCORE's log; after three failures a sample ends as failed (then: replay --batch B --only failed).`,
        zh: `评审模型（judge）调用失败，${scoring} 个样本稍后重试。请检查端点和 SCORE 的日志；失败三次的样本会记为失败（之后可用 replay --batch B --only failed 重跑）。`,
      }),
    ];
  if (scoring > 0 && (samples.putBack > 0 || samples.leased === 0))
    return [
      told("endpoint-throttled", "waiting", {
        en: `The judge throttles: ${scoring} samples wait for their turn and lose no attempt. Nothing to do, unless it lasts: then raise the endpoint's limit.`,
        zh: `评审模型（judge）被限流：${scoring} 个样本在排队，不消耗重试次数。无需处理；若持续很久，请提高端点限额。`,
      }),
    ];
  if (describing > 0 && hasMedia && samples.leased + samples.putBack + samples.failed === 0)
    return [
      told("endpoint-throttled", "waiting", {
        en: `The captioner or the image strategy endpoint puts samples off: ${describing} come back later. Look at both endpoints and at DESCRIBE's log if it lasts.`,
        zh: `识图模型或图片策略端点推迟了样本：${describing} 个稍后再来。若持续很久，请检查两个端点和 DESCRIBE 的日志。`,
      }),
    ];
  return [];
};

/** More undecided samples than messages: those have been lost on the way, and SWEEP finds them. */
const quietFindings = (batch: BatchFacts, facts: StatusFacts, told: Teller): readonly Finding[] => {
  const { record, undecided, samples, splitResends } = batch;
  const { queues, timing, now } = facts;
  const messages = total(queues.describe) + total(queues.score) + total(queues.settle);
  if (samples.leased > 0 || messages >= undecided) return [];
  const { quietAfter, period } = timing.sweep;
  const next = nextResendAt({ ...splitResends, since: record.sealed?.at ?? record.openedAt, quietAfter });
  const inTime = durationText(Math.max(0, next + period * 1000 - now));
  const isLast = splitResends.count >= maxResends;
  return [
    told("quiet", "waiting", {
      en: isLast
        ? `${undecided} samples have gone quiet: they were sent ${splitResends.count} times without an outcome, and end as lost within ${inTime.en}. Look at the logs of DESCRIBE and SCORE; then: replay --batch B --only failed`
        : `${undecided} samples have gone quiet: no message is on its way for them. SWEEP sends them again within ${inTime.en} (${splitResends.count} of ${maxResends} tries are used). Nothing to do.`,
      zh: isLast
        ? `${undecided} 个样本没有动静：已发送 ${splitResends.count} 次仍无结论，${inTime.zh}内会记为丢失。请查看 DESCRIBE 和 SCORE 的日志；之后可用 replay --batch B --only failed 重跑。`
        : `${undecided} 个样本没有动静：队列里没有它们的消息。SWEEP 会在 ${inTime.zh}内重新发送（已用 ${splitResends.count}/${maxResends} 次）。无需处理。`,
    }),
  ];
};

/** Messages that nobody takes, or that somebody took and does nothing with. */
const idleFindings = (batch: BatchFacts, facts: StatusFacts, told: Teller): readonly Finding[] => {
  const { queues, timing, now } = facts;
  const sealedAt = batch.record.sealed?.at ?? now;
  if (batch.samples.leased > 0 || now - sealedAt < timing.functionTimeout.score * 1000) return [];
  for (const name of ["describe", "score", "settle"] as const) {
    const { waiting, inFlight } = queues[name];
    const function_ = name.toUpperCase();
    if (waiting > 0 && inFlight === 0)
      return [
        told("not-polled", "blocked", {
          en: `${waiting} messages wait in ${name}, and nobody takes them. See whether ${function_} is throttled, has no concurrency left, or its event source is switched off.`,
          zh: `${name} 队列有 ${waiting} 条消息，但没有函数在取。请检查 ${function_} 是否被限流、并发是否用尽、事件源是否停用。`,
        }),
      ];
    if (inFlight > 0) {
      const visibility = durationText(visibilityFactor * timing.functionTimeout[name] * 1000);
      return [
        told("in-flight", "moving", {
          en: `${inFlight} messages of ${name} are in ${function_}'s hands. If a worker has died, SQS shows its messages again within ${visibility.en}.`,
          zh: `${name} 有 ${inFlight} 条消息正由 ${function_} 处理。若某个进程已中断，SQS 会在 ${visibility.zh}内重新投递。`,
        }),
      ];
    }
  }
  return [];
};
