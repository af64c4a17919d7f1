/** Every source file that we write, with its imports; architecture.test.ts asks questions about them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** The text without comments, strings kept. */
  readonly code: string;
  readonly imports: readonly string[];
}

const root = join(import.meta.dirname, "..");
const folders = ["layers", "functions", "infra", "events", "test"];

export const sourceFiles = (): readonly SourceFile[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .filter((path) => !path.includes("node_modules") && !path.includes("/.build/"))
    .sort()
    .map(readSource);

const readSource = (path: string): SourceFile => {
  const text = readFileSync(join(root, path), "utf8");
  const code = withoutComments(text);
  const imports = [...code.matchAll(/(?:^|[}\s*])(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/gm)].flatMap(
    (match) => match[1] ?? [],
  );
  return { path, text, code, imports, lines: text.split("\n").length - 1 };
};

/** Takes out comments; a quote, a template or a regular expression may hold what looks like one. */
const withoutComments = (text: string): string =>
  text.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<=^|[\s;{(,])\/\/[^\n]*/gm,
    (_, quoted: string | undefined) => quoted ?? "",
  );
