/** A small plotting area in SVG: scales, axes with ticks, lines, bands and marks. Colours are the page's variables. */
import { html, type Markup, type MarkupPart } from "../markup.ts";

export interface Domain {
  readonly from: number;
  readonly to: number;
}

export interface Plot {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const plotWidth = 520;
export const plotHeight = 360;
const margins = { left: 78, right: 28, top: 16, bottom: 52 };

/** The area of a chart of the common size, with `x` and `y` from values to places. Places are to a tenth of a unit. */
export const plotArea = (xDomain: Domain, yDomain: Domain): Plot => {
  const [left, right] = [margins.left, plotWidth - margins.right];
  const [top, bottom] = [margins.top, plotHeight - margins.bottom];
  const scale = (domain: Domain, start: number, end: number) => (value: number) =>
    rounded(start + ((value - domain.from) / (domain.to - domain.from)) * (end - start));
  return { x: scale(xDomain, left, right), y: scale(yDomain, bottom, top), left, right, top, bottom };
};

const rounded = (place: number): number => Math.round(place * 10) / 10;

/** About `count` round steps that cover the domain: 1, 2 or 5 times a power of ten. */
export const ticks = ({ from, to }: Domain, count = 5): readonly number[] => {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough * 0.999) ?? rough;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
};

export interface Axis {
  readonly label: string;
  readonly ticks: readonly number[];
  readonly text: (value: number) => string;
}

/** Grid lines, tick labels and titles of both axes. */
export const axes = (plot: Plot, xAxis: Axis, yAxis: Axis): Markup =>
  html`<g class="grid">${yAxis.ticks.map(
    (tick) => html`<line x1="${plot.left}" x2="${plot.right}" y1="${plot.y(tick)}" y2="${plot.y(tick)}"/>`,
  )}</g><g class="axis"><line x1="${plot.left}" x2="${plot.right}" y1="${plot.bottom}" y2="${plot.bottom}"/>${xAxis.ticks.map(
    (tick) =>
      html`<text x="${plot.x(tick)}" y="${plot.bottom + 19}" text-anchor="middle">${xAxis.text(tick)}</text>`,
  )}${yAxis.ticks.map(
    (tick) =>
      html`<text x="${plot.left - 8}" y="${plot.y(tick) + 4.5}" text-anchor="end">${yAxis.text(tick)}</text>`,
  )}<text class="name" x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 43}" text-anchor="middle">${xAxis.label}</text><text class="name" transform="translate(16 ${(plot.top + plot.bottom) / 2}) rotate(-90)" text-anchor="middle">${yAxis.label}</text></g>`;

/** A line through the points. */
export const polyline = (className: string, points: readonly (readonly [number, number])[]): Markup =>
  html`<polyline class="${className}" points="${points.map(([x, y]) => `${x},${y}`).join(" ")}"/>`;

/** The area between two lines with the same places. */
export const band = (
  className: string,
  upper: readonly (readonly [number, number])[],
  lower: readonly (readonly [number, number])[],
): Markup =>
  html`<polygon class="${className}" points="${[...upper, ...lower.toReversed()].map(([x, y]) => `${x},${y}`).join(" ")}"/>`;

/** One mark, with its figures as a tooltip, and its place in the report's JSON. */
export const mark = (
  className: string,
  of: string,
  [x, y, radius]: readonly [number, number, number],
  title: string,
): Markup =>
  html`<circle class="${className}" data-of="${of}" cx="${x}" cy="${y}" r="${rounded(radius)}"><title>${title}</title></circle>`;

/** The chart with its name and a description for those who do not see it. `id` is unique on the page. */
export const chart = (id: string, name: string, description: string, content: MarkupPart): Markup =>
  html`<svg class="plot" viewBox="0 0 ${plotWidth} ${plotHeight}" role="img" aria-labelledby="${id}-name ${id}-about"><title id="${id}-name">${name}</title><desc id="${id}-about">${description}</desc>${content}</svg>`;

/** Nothing of `content` is drawn outside of the area. */
export const clipped = (id: string, plot: Plot, content: MarkupPart): Markup =>
  html`<clipPath id="${id}-clip"><rect x="${plot.left}" y="${plot.top}" width="${plot.right - plot.left}" height="${plot.bottom - plot.top}"/></clipPath><g clip-path="url(#${id}-clip)">${content}</g>`;

/** What the classes of a chart's marks stand for. */
export const legend = (entries: readonly (readonly [string, string])[]): Markup =>
  html`<ul class="legend">${entries.map(([className, text]) => html`<li><i class="${className}"></i>${text}</li>`)}</ul>`;
