/** Builds S3's XML answers by hand: every value passes through one escape function. */

export const s3Namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes markup, and control characters too: a parser would fold a bare carriage return into a newline. */
export function escapeXml(value: string): string {
  return value.replace(/[&<>"]|\p{Cc}/gu, (char) => named[char] ?? `&#x${char.charCodeAt(0).toString(16)};`);
}

/** A leaf `<name>value</name>`; nothing at all when the value is undefined. */
export function leaf(name: string, value: string | number | boolean | undefined): string {
  return value === undefined ? "" : `<${name}>${escapeXml(String(value))}</${name}>`;
}

/** An element around content that is XML already. */
export function element(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join("")}</${name}>`;
}

/** A whole document; errors pass no namespace, as in S3. */
export function xmlDocument(root: string, content: readonly string[], namespace?: string): string {
  const attribute = namespace === undefined ? "" : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${content.join("")}</${root}>`;
}

/** S3's timestamp inside XML: ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
