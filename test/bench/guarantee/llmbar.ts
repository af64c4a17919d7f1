/** LLMBar: which of two outputs follows an instruction, by its authors' agreed label. Read for guarantee.ts. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readRows, type VotedSet } from "./voted-text.ts";

const rowSchema = z.object({
  input: z.string(),
  output_1: z.string(),
  output_2: z.string(),
  label: z.union([z.literal(1), z.literal(2)]),
});

/** All parts that the folder has, as one set: one judge must do with natural and adversarial pairs. */
export async function llmbar(dataDir: string): Promise<VotedSet> {
  const folder = join(dataDir, "llmbar");
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new Error(`--data needs the folder ${folder}`, { cause });
  });
  const files = names.filter((name) => /^[^.].*\.json$/.test(name)).sort();
  const rows = (await Promise.all(files.map((name) => readRows(join(folder, name), rowSchema)))).flat();
  return {
    name: "llmbar",
    kind: "which-of-two",
    isReference: false,
    texts: rows.map((row) => ({
      group: row.input,
      asked: row.input,
      source: "",
      outputs: [row.output_1, row.output_2],
      votes: row.label === 1 ? [1, 0] : [0, 1],
      truth: row.label === 1 ? 0 : 1,
      hint: 0,
    })),
  };
}
