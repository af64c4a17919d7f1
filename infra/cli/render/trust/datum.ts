/** A figure of the report on the page, with its place in the JSON, so that page and JSON can be compared by a program. */
import { html, type Markup } from "../markup.ts";

/** `of` is the path in the report's JSON, e.g. `coverage.gross.rate`; a dash where there is no figure. */
export const datum = (
  of: string,
  value: number | null | undefined,
  text: (value: number) => string,
): Markup =>
  value === null || value === undefined
    ? html`<span class="none">–</span>`
    : html`<data value="${value}" data-of="${of}">${text(value)}</data>`;
