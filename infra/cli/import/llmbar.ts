/** Imports LLMBar files (an instruction, two outputs, which one is better); `touchstone import llmbar` calls it. */
import { asRows, type Row, readJson, textAt, wrongShape } from "./json-rows.ts";
import { type Imported, type TemplateDraft, taskName, writeTask } from "./write-task.ts";

/** Candidates are shown to the judge as A and B in their order, so these are the codes. */
const codes = { 1: "A", 2: "B" } as const;

const template = (task: string): TemplateDraft => ({
  task,
  version: 1,
  family: "pairwise",
  title: { zh: "指令遵循的两两比较", en: "Which output follows the instruction better" },
  standard: `Decide which of two outputs follows the instruction better.

- Read the instruction literally: what it asks for, and every condition on content, length, format and language.
- The better output does what was asked. A fluent, long or friendly output that does something else is the worse one.
- Facts and reasoning must be right where the instruction calls for them.
- Only where both follow the instruction equally well do clarity and completeness decide.
- The order in which the outputs stand, and their length, say nothing.
`,
  fields: [
    {
      id: "better",
      kind: "label",
      title: "Better output",
      question: "Which output follows the instruction better?",
      labels: [
        { code: "A", name: "the first", description: "The first output follows the instruction better" },
        { code: "B", name: "the second", description: "The second output follows the instruction better" },
      ],
    },
  ],
  judge: { language: "en" },
  decision: { alpha: 0.1, provisionalThreshold: 0.8 },
});

function labelOf(row: Row): "A" | "B" | null {
  const { label } = row.value;
  if (label === undefined || label === null) return null;
  if (label === 1 || label === 2) return codes[label];
  throw wrongShape(row.at, `field "label" must be 1 or 2, found ${JSON.stringify(label)}`);
}

/** `file` is a list of `{input, output_1, output_2, label}`; the task is named after it. */
export async function importLlmbar(file: string, out: string): Promise<Imported> {
  const task = taskName("llmbar", file);
  let unlabelled = 0;
  const rows = asRows(await readJson(file), file, "the file").map((row, index) => {
    const better = labelOf(row);
    if (better === null) unlabelled++;
    return {
      at: row.at,
      sample: {
        id: `${task}-${String(index).padStart(4, "0")}`,
        input: textAt(row, "input"),
        candidates: [
          { id: "output_1", output: textAt(row, "output_1") },
          { id: "output_2", output: textAt(row, "output_2") },
        ],
        ...(better === null ? {} : { labels: { better } }),
        meta: { source: "llmbar", row: index },
      },
    };
  });
  const warnings = unlabelled > 0 ? [`${unlabelled} of ${rows.length} rows have no label`] : [];
  return writeTask(out, template(task), rows, warnings);
}
