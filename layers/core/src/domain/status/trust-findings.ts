/** Certificates that ended, and tasks that lost theirs: the machine's answers are nobody's promise any more. */

import type { Certificate } from "../../schema/certificate.ts";
import type { Watch, WatchAlarm } from "../../schema/watch.ts";
import { voidTexts } from "../trust/void-text.ts";
import type { StatusFacts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** One for each void certificate, and for each task that fell out of one that stands. */
export const trustFindings = ({
  trust,
  watches,
}: Pick<StatusFacts, "trust" | "watches">): readonly Finding[] => [
  ...trust.flatMap(({ certificates }) => certificates.flatMap(({ certificate }) => voidFinding(certificate))),
  ...watches.flatMap((watch) => {
    const isStanding = trust.some(({ certificates }) =>
      certificates.some(
        ({ certificate: { id, state, tasks } }) =>
          id === watch.certificate && state.kind === "valid" && !Object.hasOwn(tasks, watch.task),
      ),
    );
    return isStanding && watch.alarm ? [fallenFinding(watch, watch.alarm)] : [];
  }),
];

const finding = (text: Finding["text"]): Finding => ({
  ...{ code: "certificate-void", severity: "waiting", batch: null, run: null },
  text,
});

const voidFinding = ({ id, tasks, state }: Certificate): readonly Finding[] => {
  if (state.kind === "valid") return [];
  const names = Object.keys(tasks).sort();
  const why = voidTexts[state.reason];
  const detail = state.detail === undefined ? "" : `: ${state.detail}`;
  const since = new Date(state.at).toISOString();
  return [
    finding({
      en: `Certificate ${id} is void since ${since}: ${why.en}${detail}. Until a new one stands, samples of ${names.join(", ")} follow their templates' policy for uncertified tasks; then: certify ${names[0]}`,
      zh: `证书 ${id} 自 ${since} 起失效：${why.zh}${detail}。在新证书出具前，${names.join("、")} 的样本按模版的未出证策略处理；之后执行 certify ${names[0]}`,
    }),
  ];
};

const fallenFinding = ({ task, certificate }: Watch, alarm: WatchAlarm): Finding => {
  const why = voidTexts[alarm.kind];
  return finding({
    en: `Task ${task} fell out of certificate ${certificate}: ${why.en} (${alarm.detail}). Its samples follow the template's policy until it passes the floor test of a new task; then: certify ${task}`,
    zh: `任务 ${task} 已不在证书 ${certificate} 内：${why.zh}（${alarm.detail}）。通过新任务的准入检验前，其样本按模版策略处理；之后执行 certify ${task}`,
  });
};
