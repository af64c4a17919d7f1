/** Reads a task's labelled examples from JSON Lines and says where they are wrong; the template store calls it. */
import type { LabelledExample } from "../../ports.ts";
import { sampleSchema } from "../../schema/sample.ts";
import type { TemplateProblem } from "./parse-template.ts";

export type ParsedExamples =
  | { readonly examples: readonly LabelledExample[] }
  | { readonly problems: readonly TemplateProblem[] };

/** One sample a line, each with `labels`; blank lines are skipped. Every bad line is told. */
export function parseExamples(jsonLines: string): ParsedExamples {
  const examples: LabelledExample[] = [];
  const problems: TemplateProblem[] = [];
  for (const [index, text] of jsonLines
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (text.trim() === "") continue;
    const read = parseExample(text);
    if ("labels" in read) examples.push(read);
    else problems.push({ ...read, line: index + 1 });
  }
  return problems.length > 0 ? { problems } : { examples };
}

function parseExample(text: string): LabelledExample | Omit<TemplateProblem, "line"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the line, which may hold a person's words.
    return { path: "", message: "not a JSON object on one line" };
  }
  const parsed = sampleSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { path: issue?.path.map(String).join(".") ?? "", message: issue?.message ?? "not a sample" };
  }
  const { labels } = parsed.data;
  if (!labels) return { path: "labels", message: "an example needs its human labels" };
  return { sample: parsed.data, labels };
}
