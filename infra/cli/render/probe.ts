/** What a probe found, one line each, in words that say what it means for confidence. */
import type { ProbeRecord } from "@touchstone/core/schema/probe";
import type { Report } from "../report.ts";
import { probeWords } from "../words/probe-words.ts";
import { printableLine } from "./printable.ts";
import { renderTable } from "./table.ts";

export const renderProbe = (
  record: ProbeRecord,
  { language, colors }: Pick<Report, "language" | "colors">,
): string => {
  const words = probeWords[language];
  const { findings, measures } = record;
  const delta = measures.maxDelta?.toFixed(3) ?? "";
  const rows: readonly (readonly string[])[] = [
    [words.titles.logprobs, words.logprobs[findings.logprobs]],
    [words.titles.topLogprobs, words.topLogprobs(findings.topLogprobs)],
    [words.titles.steady, steadiness(findings.steady, delta, words)],
    [words.titles.bytes, words.bytes[findings.bytes]],
    [words.titles.reasoning, words.reasoning[findings.reasoning]],
    [
      words.titles.guided,
      `${words.guided[findings.guided]}${findings.guidedBy === null ? "" : ` (${findings.guidedBy})`}`,
    ],
  ];
  const title = words.judge(printableLine(record.answeredBy ?? record.model), printableLine(record.url));
  const table = renderTable([{ title: "" }, { title: "" }], rows);
  return [colors.bold(title), ...table.split("\n").slice(1)].join("\n");
};

const steadiness = (isSteady: boolean | null, delta: string, words: (typeof probeWords)["en"]): string => {
  if (isSteady === null) return words.unknown;
  return isSteady ? words.steady(delta) : words.unsteady(delta);
};
