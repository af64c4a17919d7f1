/** Reads the XML bodies clients send; elements a caller does not know are refused, never dropped. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { S3Error } from "./s3-error.ts";

/** One element: its text if it is a leaf, and its children by name. */
export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

// Entities are decoded below: the parser caps how many it expands, and a thousand keys can need more.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
});

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (typeof name === "string") return entities[name.toLowerCase()] ?? whole;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function toElements(nodes: unknown): { text: string; children: XmlElement[] } {
  let text = "";
  const children: XmlElement[] = [];
  for (const node of Array.isArray(nodes) ? nodes : []) {
    if (typeof node !== "object" || node === null) continue;
    for (const [name, content] of Object.entries(node)) {
      if (name === "#text") text += String(content);
      else children.push({ name, ...toElements(content) });
    }
  }
  return { text: unescapeXml(text), children };
}

/** Parses a body whose root must be `root`. Throws MalformedXML. */
export function parseXml(body: string, root: string): XmlElement {
  if (XMLValidator.validate(body) !== true) {
    throw new S3Error("MalformedXML", `The body is not well-formed XML; a <${root}> document is expected.`);
  }
  const found = toElements(parser.parse(body)).children.find((child) => child.name === root);
  if (found === undefined) throw new S3Error("MalformedXML", `The root element must be <${root}>.`);
  return found;
}

/** The children called `name`. */
export function childrenOf(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.name === name);
}

/** The text of the first child called `name`, if there is one. */
export function textOf(parent: XmlElement, name: string): string | undefined {
  return parent.children.find((child) => child.name === name)?.text;
}

/** The text of a child that must be there. Throws MalformedXML. */
export function requiredText(parent: XmlElement, name: string): string {
  const text = textOf(parent, name);
  if (text === undefined) throw new S3Error("MalformedXML", `<${parent.name}> needs a <${name}>.`);
  return text;
}

/** Refuses, with 501, any child outside `known`: what is not understood must not be half applied. */
export function refuseUnknownChildren(parent: XmlElement, known: readonly string[], operation: string): void {
  for (const child of parent.children) {
    if (!known.includes(child.name)) {
      throw new S3Error(
        "NotImplemented",
        `${operation}: <${child.name}> in <${parent.name}> is not implemented.`,
      );
    }
  }
}
