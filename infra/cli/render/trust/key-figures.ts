/** The head of the trust report: what may be relied on, in a sentence, and the four figures behind it. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { countText, dayText, percentText, periodText } from "@touchstone/core/domain/report/number-text";
import type { Share } from "@touchstone/core/domain/report/share";
import type { TrustReport } from "@touchstone/core/domain/report/trust-report";
import { reportWords } from "../../words/trust-report-words.ts";
import { html, type Markup, type MarkupPart } from "../markup.ts";
import { datum } from "./datum.ts";

export const reportHead = (report: TrustReport, language: Language): Markup => {
  const { meta, standing, title } = reportWords;
  const { window, judge } = report;
  const detail = report.standing.kind === "void" ? report.standing.detail : null;
  const facts: readonly (readonly [string, string])[] = [
    [meta.task[language], report.task],
    [meta.family[language], report.family],
    [meta.template[language], String(report.template)],
    [meta.judge[language], judge === null ? meta.noJudge[language] : judge.model],
    [meta.window[language], window === null ? meta.noSamples[language] : periodText(window.from, window.to)],
    [meta.made[language], dayText(report.at)],
  ];
  return html`<header><p class="kind">${title[language]}</p><h1>${report.title[language]}</h1><p class="about">${facts.map(
    ([name, value]) => html`<span>${name} <b>${value}</b></span> `,
  )}</p></header><section class="standing ${report.standing.kind}"><p class="badge">${standing[report.standing.kind][language]}</p><p class="sentence">${report.sentences.standing[language]}</p>${detail && html`<p class="alarm">${detail}</p>`}<p>${report.sentences.coverage[language]}</p></section>`;
};

export const keyFigures = (report: TrustReport, language: Language): Markup => {
  const { key } = reportWords;
  const { coverage, acceptedError, standing, sinceCertified } = report;
  const { gross, humanLoad } = coverage;
  const certificate = standing.kind === "certified" ? standing.certificate : null;
  return html`<section class="cards">${[
    card(
      key.gross[language],
      datum("coverage.gross.rate", gross?.rate, percentText),
      html`${datum("coverage.machine", coverage.machine, countText)} / ${datum("coverage.valid", coverage.valid, countText)} ${key.validSamples[language]}`,
      sinceCertified === null
        ? interval("coverage.gross", gross, language)
        : html`<p>${key.since[language]} ${datum("sinceCertified.rate", sinceCertified.rate, percentText)}</p>`,
    ),
    card(
      key.load[language],
      datum("coverage.humanLoad.rate", humanLoad?.rate, percentText),
      html`${datum("coverage.review", coverage.review, countText)} ${key.reviews[language]} + ${datum("coverage.audits", coverage.audits, countText)} ${key.audits[language]}`,
      null,
    ),
    card(
      key.error[language],
      datum("acceptedError.rate", acceptedError?.rate, percentText),
      acceptedError === null
        ? key.noError[language]
        : html`${datum("acceptedError.part", acceptedError.part, countText)} / ${datum("acceptedError.of", acceptedError.of, countText)} ${key.audits[language]}`,
      interval("acceptedError", acceptedError, language),
    ),
    card(
      key.proven[language],
      datum("standing.certificate.bound", certificate?.bound, percentText),
      certificate === null
        ? key.notProven[language]
        : html`${datum("standing.certificate.k", certificate.k, countText)} / ${datum("standing.certificate.n", certificate.n, countText)} ${key.certifying[language]}`,
      null,
    ),
  ]}</section>`;
};

const card = (name: string, value: Markup, about: MarkupPart, more: Markup | null): Markup =>
  html`<div class="card"><h3>${name}</h3><p class="value">${value}</p><p>${about}</p>${more}</div>`;

const interval = (of: string, share: Share | null, language: Language): Markup | null =>
  share &&
  html`<p>${reportWords.key.interval[language]} ${datum(`${of}.low`, share.low, percentText)} – ${datum(`${of}.high`, share.high, percentText)}</p>`;
