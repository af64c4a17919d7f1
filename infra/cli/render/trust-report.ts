/** The trust report as one web page that needs nothing else and runs nothing: figures as SVG, every number in `data`. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { TrustReport } from "@touchstone/core/domain/report/trust-report";
import { reportWords } from "../words/trust-report-words.ts";
import { html } from "./markup.ts";
import { keyFigures, reportHead } from "./trust/key-figures.ts";
import { pageStyle } from "./trust/page-style.ts";
import { reliabilityFigure } from "./trust/reliability-figure.ts";
import { riskFigure } from "./trust/risk-figure.ts";
import { forecastSection, lostSection, termsSection, watchSection } from "./trust/sections.ts";
import { strataSection } from "./trust/strata-section.ts";

/** The whole document. The style is the only text that is not escaped: it holds no figure and no name. */
export const trustPage = (report: TrustReport, language: Language): string => {
  const title = `${report.title[language]} · ${reportWords.title[language]}`;
  const body = html`<main>${[
    reportHead(report, language),
    keyFigures(report, language),
    html`<div class="pair">${riskFigure(report, language)}${reliabilityFigure(report, language)}</div>`,
    html`<div class="pair">${forecastSection(report, language)}${lostSection(report, language)}</div>`,
    strataSection(report, language),
    html`<div class="pair">${watchSection(report, language)}${termsSection(report, language)}</div>`,
  ]}</main>`;
  return `<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
${html`<title>${title}</title>`.markup}
<style>${pageStyle}</style>
</head>
<body>
${body.markup}
</body>
</html>
`;
};
