/** The risk-coverage curve of the trust report: estimate, bound, what is allowed, what is certified, what is wanted. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { countText, decimalText, percentText } from "@touchstone/core/domain/report/number-text";
import type { RiskCurvePoint } from "@touchstone/core/domain/report/risk-curve";
import type { TrustReport } from "@touchstone/core/domain/report/trust-report";
import { trustFigureWords } from "../../words/trust-figure-words.ts";
import { reportWords } from "../../words/trust-report-words.ts";
import { html, type Markup } from "../markup.ts";
import { dataTable } from "./data-table.ts";
import { datum } from "./datum.ts";
import { axes, band, chart, clipped, legend, mark, type Plot, plotArea, polyline, ticks } from "./plot.ts";

const words = trustFigureWords.risk;

export const riskFigure = (report: TrustReport, language: Language): Markup => {
  const { points, delta, labels } = report.riskCurve;
  const title = html`<h2>${words.title[language]}</h2>`;
  if (points.length === 0) return html`<figure>${title}<p>${words.none[language]}</p></figure>`;
  const { alpha } = report.policy;
  const yDomain = { from: 0, to: highest(points, alpha) };
  const xDomain = { from: 0, to: 1 };
  const plot = plotArea(xDomain, yDomain);
  const risks = points.map(({ coverage, risk }) => [plot.x(coverage), plot.y(risk)] as const);
  const bounds = points.map(({ coverage, bound }) => [plot.x(coverage), plot.y(bound)] as const);
  const content = html`${axes(
    plot,
    { label: words.x[language], ticks: ticks(xDomain), text: percentText },
    { label: words.y[language], ticks: ticks(yDomain), text: percentText },
  )}${clipped("risk", plot, [
    band("band", bounds, risks),
    polyline("bound", bounds),
    polyline("risk", risks),
    points.map((point, index) => markOf(point, index, plot, language)),
  ])}${allowed(plot, alpha, language)}${certified(plot, report, language)}`;
  return html`<figure>${title}${chart("risk", words.title[language], words.about[language], content)}${legend(
    [
      ["risk", words.risk[language]],
      ["bound", words.bound(percentText(1 - delta))[language]],
    ],
  )}<figcaption>${datum("riskCurve.labels", labels, countText)} ${words.labels[language]}${language === "zh" ? "。" : ". "}${words.note[language]}</figcaption>${table(points, language)}</figure>`;
};

/** Bounds of few labels are large and say little; what is allowed, what is estimated and the lowest bound are on the plot. */
const highest = (points: readonly RiskCurvePoint[], alpha: number): number => {
  const risk = Math.max(...points.map((point) => point.risk));
  const least = Math.min(...points.map(({ bound }) => bound));
  const last = points.at(-1)?.bound ?? 0;
  return Math.min(1, Math.max(alpha * 1.5, risk * 1.15, Math.min(last * 1.1, least * 3), least * 1.3));
};

const markOf = (
  { coverage, risk, bound, n, k }: RiskCurvePoint,
  index: number,
  plot: Plot,
  language: Language,
): Markup => {
  const title = words.point(
    percentText(coverage),
    countText(k),
    countText(n),
    percentText(risk),
    percentText(bound),
  );
  return mark("risk", `riskCurve.points.${index}`, [plot.x(coverage), plot.y(risk), 3.2], title[language]);
};

const allowed = (plot: Plot, alpha: number, language: Language): Markup =>
  html`<line class="allowed" x1="${plot.left}" x2="${plot.right}" y1="${plot.y(alpha)}" y2="${plot.y(alpha)}"/><text class="allowed" x="${plot.left + 6}" y="${plot.y(alpha) - 7}">${words.alpha(percentText(alpha))[language]}</text>`;

const certified = (plot: Plot, { standing }: TrustReport, language: Language): Markup | null => {
  if (standing.kind !== "certified") return null;
  const { coverage } = standing.certificate;
  const x = plot.x(coverage);
  const label = words.certified(percentText(coverage))[language];
  const [place, anchor] = coverage > 0.4 ? [x - 6, "end"] : [x + 6, "start"];
  return html`<line class="certified" x1="${x}" x2="${x}" y1="${plot.top}" y2="${plot.bottom}"/><text class="certified" x="${place}" y="${plot.top + 13}" text-anchor="${anchor}">${label}</text>`;
};

const table = (points: readonly RiskCurvePoint[], language: Language): Markup => {
  const { columns } = reportWords;
  const heads = [columns.coverage, columns.tau, columns.checks, columns.errors, columns.risk, columns.bound];
  return dataTable(
    reportWords.numbers[language],
    heads.map((head) => head[language]),
    points.map(({ coverage, tau, n, k, risk, bound }, index) => {
      const of = `riskCurve.points.${index}`;
      return [
        datum(`${of}.coverage`, coverage, percentText),
        datum(`${of}.tau`, tau, decimalText),
        datum(`${of}.n`, n, countText),
        datum(`${of}.k`, k, countText),
        datum(`${of}.risk`, risk, percentText),
        datum(`${of}.bound`, bound, percentText),
      ];
    }),
  );
};
