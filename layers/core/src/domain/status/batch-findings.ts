/** What is the matter with one batch: its file, its templates, its samples, the people it waits for. */
import { maxResends } from "../../timing.ts";
import { nextResendAt } from "../ledger/resend.ts";
import { durationText } from "./duration-text.ts";
import type { BatchFacts, StatusFacts } from "./facts.ts";
import type { Finding, Teller } from "./finding.ts";
import { modelFindings } from "./model-findings.ts";

/** Everything about one batch, in no particular order; nothing where it is final. */
export const batchFindings = (batch: BatchFacts, facts: StatusFacts): readonly Finding[] => {
  const { record } = batch;
  const told: Teller = (code, severity, text) => ({
    code,
    severity,
    batch: record.batch,
    run: record.run,
    text,
  });
  const found = [
    ...fileFindings(batch, facts, told),
    ...unroutedFindings(batch, facts, told),
    ...modelFindings(batch, facts, told),
    ...peopleFindings(batch, told),
  ];
  const isStuck = found.some(({ code }) => code !== "waiting-for-people" && code !== "file-damaged");
  return isStuck ? found : [...found, ...progressFindings(batch, facts, told)];
};

const fileFindings = (batch: BatchFacts, facts: StatusFacts, told: Teller): readonly Finding[] => {
  const { record, hasSource, undecided } = batch;
  const found: Finding[] = [];
  if (!hasSource && (record.sealed === undefined || undecided > 0))
    found.push(
      told("source-gone", "blocked", {
        en: `This version of ${record.source.key} is no longer stored, so what is missing cannot be sent again and ends as lost. Submit the samples again as a new batch.`,
        zh: `${record.source.key} 的这个版本已不在存储中，缺失的样本无法重新发送，最终会记为丢失。请把样本作为新批次重新提交。`,
      }),
    );
  if (record.fault !== undefined)
    found.push(
      told("file-damaged", record.sealed?.samples === 0 ? "blocked" : "waiting", {
        en: `The file could not be read to its end: ${record.fault}. What was read is scored; send the rest as a new file.`,
        zh: `文件没有读完：${record.fault}。已读部分照常评分；其余请作为新文件重新提交。`,
      }),
    );
  if (record.sealed === undefined) found.push(readingFinding(batch, facts, told));
  return found;
};

/** A reading cannot last longer than the function that does it. */
const readingFinding = ({ record, fileResends }: BatchFacts, facts: StatusFacts, told: Teller): Finding => {
  const { now, timing } = facts;
  const begun = Math.max(record.openedAt, fileResends.lastAt);
  if (now - begun < timing.functionTimeout.intake * 1000)
    return told("working", "moving", {
      en: `The file is being read; ${record.splitsSent} splits are sent.`,
      zh: `正在读取文件；已发送 ${record.splitsSent} 个分片。`,
    });
  const { quietAfter, period } = timing.sweep;
  const next = nextResendAt({ ...fileResends, since: record.openedAt, quietAfter }) + period * 1000;
  const inTime = durationText(Math.max(0, next - now));
  const isLast = fileResends.count >= maxResends;
  return told("intake-stopped", isLast ? "blocked" : "waiting", {
    en: isLast
      ? `INTAKE has stopped in the middle of the file ${fileResends.count} times; SWEEP closes the batch with what was read within ${inTime.en}. Look at INTAKE's log.`
      : `INTAKE stopped in the middle of the file (${record.splitsSent} splits are sent); SWEEP takes it up again within ${inTime.en}, without sending anything twice. Nothing to do; if it happens again, look at INTAKE's log.`,
    zh: isLast
      ? `INTAKE 已 ${fileResends.count} 次在文件中途停止；SWEEP 会在 ${inTime.zh}内以已读部分结束该批次。请查看 INTAKE 的日志。`
      : `INTAKE 在文件中途停止（已发送 ${record.splitsSent} 个分片）；SWEEP 会在 ${inTime.zh}内接着读，不会重复发送。无需处理；若再次发生，请查看 INTAKE 的日志。`,
  });
};

const unroutedFindings = (
  batch: BatchFacts,
  { templates }: StatusFacts,
  told: Teller,
): readonly Finding[] => {
  if (batch.unrouted === 0) return [];
  const { task } = batch.record;
  const template = templates.find((one) => one.task === task);
  // That it is broken is said for the task.
  if (template?.state === "broken") return [];
  const exists = template?.state === "present";
  return [
    told("template-missing", "blocked", {
      en: exists
        ? `${batch.unrouted} samples were taken by no template when the batch came, and wait for people. ${task} has a template now: replay --batch B --only review; or the samples name a task that has none.`
        : `There is no template for ${task}, so ${batch.unrouted} samples wait for people unrouted. Upload templates/${task}/template.yaml (submit does), then: replay --batch B --only review`,
      zh: exists
        ? `批次到达时有 ${batch.unrouted} 个样本没有匹配到模版，正在等人审。任务 ${task} 现在有模版：执行 replay --batch B --only review；若样本自己指定了别的任务，请先上传该任务的模版。`
        : `任务 ${task} 没有模版，${batch.unrouted} 个样本只能等人审。请上传 templates/${task}/template.yaml（submit 会做），然后执行：replay --batch B --only review`,
    }),
  ];
};

const peopleFindings = ({ counts }: BatchFacts, told: Teller): readonly Finding[] => {
  const open = counts.review - counts.reviewed;
  if (open <= 0) return [];
  return [
    told("waiting-for-people", "waiting", {
      en: `${open} samples wait for a person's verdict; everything else of them is done. Claim one with: review claim`,
      zh: `有 ${open} 个样本在等人审结论；机器部分已完成。用 review claim 领取。`,
    }),
  ];
};

const progressFindings = (
  batch: BatchFacts,
  { queues, timing, now }: StatusFacts,
  told: Teller,
): readonly Finding[] => {
  const { record, undecided, counts } = batch;
  if (record.sealed === undefined) return [];
  if (undecided > 0)
    return [
      told("working", "moving", {
        en: `${counts.total - undecided} of ${counts.total} samples are decided; the rest is on its way (${queues.score.waiting} wait for SCORE, ${queues.score.inFlight} are in its hands).`,
        zh: `${counts.total} 个样本中 ${counts.total - undecided} 个已有结论，其余在处理中（${queues.score.waiting} 个在等 SCORE，${queues.score.inFlight} 个正在处理）。`,
      }),
    ];
  if (record.decidedAt !== undefined || record.finalAt !== undefined) return [];
  const { waiting, inFlight, delayed } = queues.settle;
  const text =
    waiting + inFlight + delayed > 0 || now - record.sealed.at < timing.functionTimeout.settle * 1000
      ? { en: "the result files are being written.", zh: "正在写结果文件。" }
      : {
          en: `SWEEP has them written within ${durationText(timing.sweep.period * 1000).en}.`,
          zh: `SWEEP 会在 ${durationText(timing.sweep.period * 1000).zh}内补写结果文件。`,
        };
  return [
    told("not-closed", "waiting", {
      en: `Every sample has its outcome; ${text.en}`,
      zh: `全部样本已有结论；${text.zh}`,
    }),
  ];
};
