/** Reads a task's template from YAML and says where it is wrong; the template store and the CLI call it. */
import { LineCounter, type ParsedNode, parseDocument, visit } from "yaml";
import { type Template, templateSchema } from "../../schema/template.ts";

export interface TemplateProblem {
  /** The field, e.g. `fields.0.labels.1.code`; empty where the file as a whole is meant. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export type ParsedTemplate =
  | { readonly template: Template }
  | { readonly problems: readonly TemplateProblem[] };

type Document = ReturnType<typeof parseDocument>;
type Path = readonly PropertyKey[];

/** Templates have no need of anchors; a file with many is an attempt to blow up in memory. */
const maxAliases = 20;

/** Every problem with its line: YAML's own first, since a file that cannot be read has no fields. */
export function parseTemplate(yaml: string): ParsedTemplate {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    path: "",
    line: lineAt(pos[0]),
    message,
  }));
  if (broken.length > 0) return { problems: broken };
  if (countAliases(document) > maxAliases) {
    return {
      problems: [{ path: "", line: 1, message: `more than ${maxAliases} aliases; write values out` }],
    };
  }
  const parsed = templateSchema.safeParse(document.toJS());
  if (parsed.success) return { template: parsed.data };
  return {
    problems: parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) =>
            problem(document, lineAt, [...issue.path, key], "there is no such setting; check its spelling"),
          )
        : [problem(document, lineAt, issue.path, issue.message)],
    ),
  };
}

function countAliases(document: Document): number {
  let count = 0;
  visit(document, { Alias: () => void count++ });
  return count;
}

function problem(
  document: Document,
  lineAt: (offset: number) => number,
  path: Path,
  message: string,
): TemplateProblem {
  return { path: path.map(String).join("."), line: lineAt(offsetOf(document, path)), message };
}

/** Where the value at `path` stands; where it is missing, where its nearest parent stands. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isParsedNode(node)) return node.range[0];
  }
  return 0;
}

const isParsedNode = (node: unknown): node is ParsedNode =>
  typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
