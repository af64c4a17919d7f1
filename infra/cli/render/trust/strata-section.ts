/** Groups of samples side by side: how much the machine answers of each, how often it is wrong, and which ones lag. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { countText, percentText } from "@touchstone/core/domain/report/number-text";
import type { Share } from "@touchstone/core/domain/report/share";
import type { StratumFigures } from "@touchstone/core/domain/report/strata";
import type { TrustReport } from "@touchstone/core/domain/report/trust-report";
import { reportWords } from "../../words/trust-report-words.ts";
import { strataName, strataWords } from "../../words/trust-section-words.ts";
import { html, type Markup } from "../markup.ts";
import { datum } from "./datum.ts";

export const strataSection = (report: TrustReport, language: Language): Markup => {
  const { strata } = report;
  const lagging = strata.flatMap(({ values }) => values.filter(({ lags }) => lags.length > 0)).length;
  const finding = lagging === 0 ? strataWords.noneLags : strataWords.lagging(lagging);
  const title = html`<h2>${strataWords.title[language]}</h2>`;
  if (strata.length === 0) return html`<section>${title}<p>${strataWords.none[language]}</p></section>`;
  return html`<section>${title}<p class="finding">${finding[language]}</p><div class="strata">${strata.map(
    ({ by, values }, index) => table(report, by, values, `strata.${index}.values`, language),
  )}</div><p class="note">${strataWords.note[language]}</p></section>`;
};

const table = (
  report: TrustReport,
  by: string,
  values: readonly StratumFigures[],
  of: string,
  language: Language,
): Markup => {
  const { columns } = reportWords;
  const errors = values.map(({ error }) => error?.high ?? 0);
  const errorScale = Math.min(1, Math.max(2 * report.policy.alpha, ...errors));
  const row = (stratum: StratumFigures, index: number): Markup => {
    const { value, samples, coverage, error, lags } = stratum;
    const place = `${of}.${index}`;
    return html`<tr${lags.length > 0 ? html` class="lags"` : null}><th scope="row">${value}${lags.map(
      (lag) => html` <span class="lag">${strataWords[lag][language]}</span>`,
    )}</th><td>${datum(`${place}.samples`, samples, countText)}</td><td class="measure"><div>${datum(`${place}.coverage.rate`, coverage.rate, percentText)}${intervalBar(coverage, report.coverage.gross, 1)}</div></td><td class="measure"><div>${datum(`${place}.error.rate`, error?.rate, percentText)}${error && intervalBar(error, report.acceptedError, errorScale)}</div></td></tr>`;
  };
  return html`<div class="scroll"><table class="stratum"><thead><tr><th scope="col">${strataName(by, language)}</th><th scope="col">${columns.samples[language]}</th><th scope="col" class="measure">${columns.answered[language]}</th><th scope="col" class="measure">${columns.wrong[language]}</th></tr></thead><tbody>${values.map(row)}</tbody></table></div>`;
};

/** A share as a point with its interval on a rail of 100 units, and the whole task as an upright line. */
const intervalBar = (share: Share, whole: Share | null, scale: number): Markup => {
  const at = (rate: number): number => Math.round(Math.min(1, rate / scale) * 1000) / 10;
  const [low, high] = [at(share.low), at(share.high)];
  const title = `${percentText(share.low)} – ${percentText(share.high)}`;
  return html`<svg class="rail" viewBox="-2 0 104 14" preserveAspectRatio="none" role="img" aria-label="${title}"><title>${title}</title><line class="track" x1="0" x2="100" y1="7" y2="7"/><rect class="range" x="${low}" y="4" width="${Math.max(0.6, high - low)}" height="6"/><rect class="at" x="${at(share.rate) - 0.9}" y="2" width="1.8" height="10"/>${whole && html`<line class="whole" x1="${at(whole.rate)}" x2="${at(whole.rate)}" y1="0" y2="14"/>`}</svg>`;
};
