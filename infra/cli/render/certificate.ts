/** Certificates and the tests behind them, as people read them. */
import type { ThresholdTest } from "@touchstone/core/domain/certificate/certify";
import type { Certificate } from "@touchstone/core/schema/certificate";
import type { Report } from "../report.ts";
import { certificateWords } from "../words/certificate-words.ts";
import { renderTable } from "./table.ts";

type Style = Pick<Report, "language" | "colors">;

/** At most two decimals, since certificates speak of parts of a percent. */
export const percent = (share: number): string => `${Math.round(share * 1e4) / 100} %`;

/** The certificate in one sentence. */
export const renderCertificate = (
  { family, tasks, delta, alpha, coverage, n, k, bound }: Certificate,
  { language }: Pick<Style, "language">,
): string => {
  const names = Object.keys(tasks);
  const [only] = names;
  const scope = names.length === 1 && only !== undefined ? only : `${family} (${names.sort().join(", ")})`;
  return certificateWords[language].certificate(
    scope,
    percent(1 - delta.total),
    percent(alpha),
    percent(coverage.pool),
    n,
    k,
    percent(bound),
  );
};

export const renderTests = (tests: readonly ThresholdTest[], { language, colors }: Style): string => {
  const { columns, passed, failed } = certificateWords[language];
  const right = (title: string) => ({ title, align: "right" as const });
  return renderTable(
    [
      right(columns.coverage),
      right(columns.threshold),
      right(columns.audits),
      right(columns.wrong),
      right(columns.bound),
      { title: columns.passed },
    ],
    tests.map((test) => [
      percent(test.coverage.grid),
      test.tau.toFixed(4),
      String(test.n),
      String(test.k),
      percent(test.bound),
      test.passed ? colors.green(passed) : colors.red(failed),
    ]),
    colors.dim,
  );
};
