/** HTML and SVG as tagged templates: whatever is put in is escaped, unless it is markup itself. */
import { printableLine } from "./printable.ts";

/** Text that is safe to stand in a page as it is. Only `html` makes it. */
export interface Markup {
  readonly markup: string;
}

/** `null` leaves nothing behind. */
export type MarkupPart = string | number | Markup | null | readonly MarkupPart[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const written = (part: MarkupPart): string => {
  if (part === null) return "";
  if (typeof part === "number") return String(part);
  if (typeof part === "string")
    return printableLine(part).replace(/[&<>"']/g, (character) => entities[character] ?? "");
  return "markup" in part ? part.markup : part.map(written).join("");
};

/** Parts may stand between tags and inside quoted attributes; nowhere else is escaping enough. */
export const html = (texts: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup => ({
  markup: texts.map((text, index) => `${text}${written(parts[index] ?? null)}`).join(""),
});
