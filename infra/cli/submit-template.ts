/** Reads a folder's template and examples and says where they are wrong, before anything is uploaded. */
import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseExamples } from "@touchstone/core/domain/template/parse-examples";
import { parseTemplate, type TemplateProblem } from "@touchstone/core/domain/template/parse-template";
import type { Template } from "@touchstone/core/schema/template";
import { failure } from "./problem.ts";
import { examplesFile, templateFile } from "./submit-plan.ts";
import { submitProblems } from "./words/submit-words.ts";

const problemsShown = 5;

/** What a folder says about its task; null where it says nothing. */
export interface TaskFiles {
  readonly template: { readonly file: string; readonly value: Template; readonly bytes: Uint8Array } | null;
  readonly examples: Uint8Array | null;
}

/** Reads `template.yaml` (or a file of that `name`) and `examples.jsonl`; a problem names file, line and field. */
export const readTaskFiles = async (dir: string, name: string = templateFile): Promise<TaskFiles> => {
  const template = await readUtf8(path.join(dir, name));
  const examples = await readUtf8(path.join(dir, examplesFile));
  if (examples) refuseProblems(examples.file, parseExamples(examples.text));
  if (!template) return { template: null, examples: examples?.bytes ?? null };
  const parsed = refuseProblems(template.file, parseTemplate(template.text));
  return {
    template: { file: template.file, value: parsed.template, bytes: template.bytes },
    examples: examples?.bytes ?? null,
  };
};

const refuseProblems = <Good extends object>(
  file: string,
  parsed: Good | { readonly problems: readonly TemplateProblem[] },
): Good => {
  if ("problems" in parsed) throw failure(submitProblems.badFile(file, inWords(parsed.problems)));
  return parsed;
};

const readUtf8 = async (
  file: string,
): Promise<{ readonly file: string; readonly bytes: Uint8Array; readonly text: string } | null> => {
  const bytes = await readOrNull(file);
  if (bytes === null) return null;
  if (!isUtf8(bytes)) throw failure(submitProblems.notUtf8(file));
  return { file, bytes, text: new TextDecoder().decode(bytes) };
};

const readOrNull = async (file: string): Promise<Buffer | null> => {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

/** `line 3, fields.0.id: …; line 9, …`, and how many more. */
const inWords = (problems: readonly TemplateProblem[]): string => {
  const shown = problems.slice(0, problemsShown).map(({ line, path: field, message }) => {
    const where = field === "" ? `line ${line}` : `line ${line}, ${field}`;
    return `${where}: ${message}`;
  });
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
};
