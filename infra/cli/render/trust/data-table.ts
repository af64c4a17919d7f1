/** The numbers behind a figure, folded away on the screen and open on paper. */
import { html, type Markup, type MarkupPart } from "../markup.ts";

export const dataTable = (
  title: string,
  heads: readonly string[],
  rows: readonly (readonly MarkupPart[])[],
): Markup =>
  html`<details><summary>${title}</summary><div class="scroll"><table class="numbers"><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details>`;

/** Names and values, as a list. Entries without a value are left out. */
export const facts = (entries: readonly (readonly [string, MarkupPart])[]): Markup =>
  html`<dl class="facts">${entries.map(([name, value]) =>
    value === null ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
