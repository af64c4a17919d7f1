/** Coverage and certificates as `status` shows them. */
import type { CoverageSummary } from "@touchstone/core/domain/results/coverage";
import { voidTexts } from "@touchstone/core/domain/trust/void-text";
import { lostCauses } from "@touchstone/core/schema/tallies";
import type { Report } from "../report.ts";
import type { TrustFacts } from "../trust-facts.ts";
import { certificateWords } from "../words/certificate-words.ts";
import { coverageWords } from "../words/coverage-words.ts";
import { percent, renderCertificate } from "./certificate.ts";
import { printableLine } from "./printable.ts";
import { renderTable } from "./table.ts";

type Style = Pick<Report, "language" | "colors">;

/** Human load is reviews and audits together: what people really have to do. Causes that took nothing have no column. */
export const renderCoverage = (
  byTask: ReadonlyMap<string, CoverageSummary>,
  { language, colors }: Style,
): string => {
  const { title, columns, causes } = coverageWords[language];
  const right = (text: string) => ({ title: text, align: "right" as const });
  const shown = lostCauses.filter((cause) => [...byTask.values()].some(({ lost }) => lost[cause]));
  return [
    title,
    renderTable(
      [
        { title: columns.task },
        right(columns.valid),
        right(columns.machine),
        right(columns.certified),
        right(columns.human),
        ...shown.map((cause) => right(causes[cause])),
      ],
      [...byTask].map(([task, { valid, gross, certified, human, lost }]) => [
        printableLine(task),
        String(valid),
        percent(gross),
        percent(certified),
        percent(human.share),
        ...shown.map((cause) => percent(lost[cause] ?? 0)),
      ]),
      colors.dim,
    ),
  ].join("\n");
};

/** Each certificate in one sentence, with what its watches have seen since; empty where there are none. */
export const renderTrust = ({ families, watches }: TrustFacts, style: Style): string => {
  const words = certificateWords[style.language];
  const lines = families.flatMap(({ certificates }) =>
    certificates.map(({ certificate }) => {
      const { id, unit, criterion, state, bound, n } = certificate;
      if (state.kind === "void")
        return style.colors.red(
          printableLine(words.isVoid(id, voidTexts[state.reason][style.language], state.detail ?? "")),
        );
      if (unit === "veto") return printableLine(words.veto(criterion ?? "", percent(bound), n));
      const own = watches.filter((watch) => watch.certificate === id);
      const audits = own.reduce((sum, watch) => sum + watch.audits.count, 0);
      const errors = own.reduce((sum, watch) => sum + watch.audits.errors, 0);
      return printableLine(
        `${renderCertificate(certificate, style)} (${id}; ${words.watched(audits, errors)})`,
      );
    }),
  );
  return lines.length === 0
    ? ""
    : [coverageWords[style.language].trust, ...lines.map((line) => `  ${line}`)].join("\n");
};
