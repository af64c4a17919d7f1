/** The reliability diagram of the trust report: stated confidence against how often it is right, raw and calibrated. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { countText, percentText } from "@touchstone/core/domain/report/number-text";
import type { ReliabilityPoint, ReliabilitySeries } from "@touchstone/core/domain/report/reliability";
import type { TrustReport } from "@touchstone/core/domain/report/trust-report";
import { trustFigureWords } from "../../words/trust-figure-words.ts";
import { reportWords } from "../../words/trust-report-words.ts";
import { html, type Markup } from "../markup.ts";
import { dataTable } from "./data-table.ts";
import { datum } from "./datum.ts";
import { axes, chart, legend, mark, type Plot, plotArea, polyline, ticks } from "./plot.ts";

const words = trustFigureWords.reliability;
type SeriesName = "raw" | "calibrated";

export const reliabilityFigure = (report: TrustReport, language: Language): Markup => {
  const title = html`<h2>${words.title[language]}</h2>`;
  const found = (["raw", "calibrated"] as const).flatMap((name) => {
    const series = report.reliability[name];
    return series === null ? [] : [{ name, series }];
  });
  const shown = found.at(-1);
  if (shown === undefined) return html`<figure>${title}<p>${words.none[language]}</p></figure>`;
  const domain = { from: 0, to: 1 };
  const plot = plotArea(domain, domain);
  const axis = { ticks: ticks(domain), text: percentText };
  const content = html`${axes(plot, { ...axis, label: words.x[language] }, { ...axis, label: words.y[language] })}${polyline(
    "ideal",
    [
      [plot.x(0), plot.y(0)],
      [plot.x(1), plot.y(1)],
    ],
  )}${shares(plot, shown.series)}${found.map(({ name, series }) => seriesMarks(plot, name, series, language))}`;
  return html`<figure>${title}${chart("reliability", words.title[language], words.about[language], content)}${legend(
    [
      ...found.map(({ name, series }) => [name, seriesName(name, series, language)] as const),
      ["ideal", words.ideal[language]],
      ["shares", words.shares[language]],
    ],
  )}<figcaption>${words.note[language]}</figcaption>${table(found, language)}</figure>`;
};

const seriesName = (name: SeriesName, { ece }: ReliabilitySeries, language: Language): string =>
  `${words[name][language]} (ECE ${percentText(ece)})`;

/** How many answers have such a confidence: at the foot, a quarter of the height for all of them. */
const shares = (plot: Plot, { bins }: ReliabilitySeries): Markup => {
  const full = (plot.bottom - plot.top) / 4;
  return html`<g class="shares">${bins.map(({ from, to, share }) => {
    const height = Math.max(0.5, Math.round(share * full * 10) / 10);
    return html`<rect x="${plot.x(from) + 1}" y="${plot.bottom - height}" width="${plot.x(to) - plot.x(from) - 2}" height="${height}"/>`;
  })}</g>`;
};

const seriesMarks = (
  plot: Plot,
  name: SeriesName,
  { bins }: ReliabilitySeries,
  language: Language,
): Markup => {
  const place = ({ confidence, accuracy }: ReliabilityPoint) =>
    [plot.x(confidence), plot.y(accuracy)] as const;
  return html`${bins.map(
    ({ confidence, low, high }) =>
      html`<line class="interval ${name}" x1="${plot.x(confidence)}" x2="${plot.x(confidence)}" y1="${plot.y(low)}" y2="${plot.y(high)}"/>`,
  )}${bins.map((bin, index) => {
    const title = words.point(percentText(bin.confidence), percentText(bin.accuracy), countText(bin.labels));
    const [x, y] = place(bin);
    const radius = 3 + 4 * Math.sqrt(bin.share);
    return mark(name, `reliability.${name}.bins.${index}`, [x, y, radius], title[language]);
  })}`;
};

const table = (
  found: readonly { readonly name: SeriesName; readonly series: ReliabilitySeries }[],
  language: Language,
): Markup => {
  const { columns } = reportWords;
  const heads = [
    ...[columns.series, columns.from, columns.to, columns.labels, columns.share],
    ...[columns.confidence, columns.accuracy, columns.interval],
  ];
  return dataTable(
    reportWords.numbers[language],
    heads.map((head) => head[language]),
    found.flatMap(({ name, series }) =>
      series.bins.map((bin, index) => {
        const of = `reliability.${name}.bins.${index}`;
        return [
          words[name][language],
          datum(`${of}.from`, bin.from, percentText),
          datum(`${of}.to`, bin.to, percentText),
          datum(`${of}.labels`, bin.labels, countText),
          datum(`${of}.share`, bin.share, percentText),
          datum(`${of}.confidence`, bin.confidence, percentText),
          datum(`${of}.accuracy`, bin.accuracy, percentText),
          html`${datum(`${of}.low`, bin.low, percentText)} – ${datum(`${of}.high`, bin.high, percentText)}`,
        ];
      }),
    ),
  );
};
