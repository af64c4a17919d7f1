/** The trust report's smaller sections: what more would take, what coverage was lost to, the watch, the terms. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import {
  countText,
  dayText,
  decimalText,
  hoursText,
  percentText,
  periodText,
} from "@touchstone/core/domain/report/number-text";
import type { TrustReport } from "@touchstone/core/domain/report/trust-report";
import { certificateWords } from "../../words/certificate-words.ts";
import {
  alarmWords,
  concernWords,
  forecastWords,
  lossWords,
  lostWords,
  termsWords,
  watchWords,
} from "../../words/trust-section-words.ts";
import { html, type Markup } from "../markup.ts";
import { facts } from "./data-table.ts";
import { datum } from "./datum.ts";

export const forecastSection = ({ forecast, sentences }: TrustReport, language: Language): Markup => {
  const words = forecastWords;
  const title = html`<h2>${words.title(percentText(forecast.target))[language]}</h2><p class="finding">${sentences.forecast[language]}</p>`;
  if (forecast.kind !== "reachable") return html`<section>${title}</section>`;
  const { needed, usable, missing, hours, cost, days, hardest, currency } = forecast;
  return html`<section>${title}${facts([
    [words.needed[language], datum("forecast.needed", needed, countText)],
    [words.usable[language], datum("forecast.usable", usable, countText)],
    [words.missing[language], datum("forecast.missing", missing, countText)],
    [words.hours[language], datum("forecast.hours", hours, hoursText)],
    [words.cost(currency)[language], cost === null ? null : datum("forecast.cost", cost, countText)],
    [
      words.days[language],
      days === null ? null : datum("forecast.days", days, (value) => countText(Math.ceil(value))),
    ],
    [words.hardestCoverage[language], datum("forecast.hardest.coverage", hardest.coverage, percentText)],
    [words.hardestError[language], datum("forecast.hardest.error", hardest.error, percentText)],
  ])}<p class="note">${words.note[language]}</p></section>`;
};

export const lostSection = ({ coverage, sentences }: TrustReport, language: Language): Markup => {
  const title = html`<h2>${lostWords.title[language]}</h2>`;
  if (coverage.lost.length === 0) {
    const none = coverage.valid === 0 ? sentences.coverage : lostWords.none;
    return html`<section>${title}<p>${none[language]}</p></section>`;
  }
  const most = Math.max(...coverage.lost.map(({ share }) => share));
  return html`<section>${title}<table class="lost"><tbody>${coverage.lost.map(
    ({ cause, samples, share }, index) =>
      html`<tr><th scope="row">${lossWords[cause][language]}</th><td class="bar"><svg class="rail" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true"><rect class="amount" x="0" y="2" width="${Math.max(0.4, Math.round((share / most) * 1000) / 10)}" height="10"/></svg></td><td>${datum(`coverage.lost.${index}.share`, share, percentText)}</td><td class="quiet">${datum(`coverage.lost.${index}.samples`, samples, countText)}</td></tr>`,
  )}</tbody></table></section>`;
};

export const watchSection = ({ watch }: TrustReport, language: Language): Markup => {
  const words = watchWords;
  const title = html`<h2>${words.title[language]}</h2>`;
  if (watch === null) return html`<section>${title}<p>${words.none[language]}</p></section>`;
  const { alarm, concerns } = watch;
  const isCalm = alarm === null && concerns.length === 0;
  return html`<section>${title}${
    alarm &&
    html`<p class="alarm"><b>${words.alarm[language]}</b> ${alarmWords[alarm.kind][language]} <small>${alarm.detail}</small></p>`
  }${concerns.map(
    ({ kind, detail }) =>
      html`<p class="concern"><b>${words.concern[language]}</b> ${concernWords[kind][language]} <small>${detail}</small></p>`,
  )}${isCalm ? html`<p class="finding">${words.calm[language]}</p>` : null}${facts([
    [
      words.score[language],
      html`${datum("watch.score", watch.score, twoDecimals)} <small>${words.limit[language]} ${datum("watch.limit", watch.limit, twoDecimals)}</small>`,
    ],
    [words.audits[language], datum("watch.audits", watch.audits, countText)],
    [words.errors[language], datum("watch.errors", watch.errors, countText)],
    [words.stability[language], datum("watch.stabilityIndex", watch.stabilityIndex, decimals)],
    [words.missing[language], datum("watch.missingLogprobs", watch.missingLogprobs, percentText)],
  ])}</section>`;
};

const twoDecimals = (value: number): string => value.toFixed(2);
const decimals = (value: number): string => value.toFixed(3);

export const termsSection = (report: TrustReport, language: Language): Markup => {
  const words = termsWords;
  const { standing, policy, calibration, judge } = report;
  const { auroc } = report.reliability.calibrated ?? report.reliability.raw ?? { auroc: null };
  const certificate = standing.kind === "none" ? null : standing.certificate;
  const of = "standing.certificate";
  return html`<section><h2>${words.title[language]}</h2>${facts([
    [words.alpha[language], datum("policy.alpha", policy.alpha, percentText)],
    [words.delta[language], datum("policy.delta", policy.delta, percentText)],
    [words.auditRate[language], datum("policy.auditRate", policy.auditRate, percentText)],
    [words.tau[language], datum("standing.threshold", standing.threshold, decimalText)],
    ...(certificate === null
      ? []
      : ([
          [words.certificate[language], certificate.id],
          [words.bound[language], datum(`${of}.bound`, certificate.bound, percentText)],
          [words.spent[language], datum(`${of}.spent`, certificate.spent, percentText)],
          [words.pool[language], datum(`${of}.poolSize`, certificate.poolSize, countText)],
          [words.issued[language], dayText(certificate.issuedAt)],
          [
            words.window[language],
            html`<span class="together">${periodText(certificate.from, certificate.to)}</span>`,
          ],
          [words.tasks[language], certificate.tasks.join(", ")],
        ] as const)),
    [
      words.calibration[language],
      calibration === null
        ? words.noCalibration[language]
        : certificateWords[language].kinds[calibration.kind],
    ],
    ...(calibration === null
      ? []
      : ([
          [words.fittedOn[language], datum("calibration.points", calibration.points, countText)],
          [words.eceBefore[language], datum("calibration.eceBefore", calibration.eceBefore, percentText)],
          [words.eceAfter[language], datum("calibration.eceAfter", calibration.eceAfter, percentText)],
        ] as const)),
    [
      words.auroc[language],
      datum(
        report.reliability.calibrated ? "reliability.calibrated.auroc" : "reliability.raw.auroc",
        auroc,
        decimalText,
      ),
    ],
    [words.fingerprint[language], judge === null ? null : html`<code>${judge.fingerprint}</code>`],
  ])}</section>`;
};
