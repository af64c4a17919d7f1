/** `touchstone import`: makes a batch folder with template and labels out of a public data set. */
import type { Command } from "commander";
import { importGaokaoObjective } from "../import/gaokao-objective.ts";
import { importLlmbar } from "../import/llmbar.ts";
import type { Imported } from "../import/write-task.ts";
import { printableLine } from "../render/printable.ts";
import { shellQuoted } from "../render/shell-quoted.ts";
import { createReport, type ReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { importWords } from "../words/import-words.ts";

interface ImportOptions extends ReportOptions {
  readonly out: string;
}

const sources = [
  {
    name: "llmbar",
    description: "pairs of answers of LLMBar (dataset.json)",
    run: importLlmbar,
    example: "import llmbar LLMBar/Natural/dataset.json --out ./imported",
  },
  {
    name: "gaokao-objective",
    description: "objective questions of GAOKAO-Bench (obj_*.json)",
    run: importGaokaoObjective,
    example: "import gaokao-objective obj_Biology.json --out ./imported",
  },
] as const satisfies readonly {
  readonly name: string;
  readonly description: string;
  readonly run: (file: string, out: string) => Promise<Imported>;
  readonly example: string;
}[];

export const addImport = (program: Command, shell: Shell): void => {
  const command = program
    .command("import")
    .description("make a batch folder out of a public data set")
    .addHelpText(
      "after",
      `\nExamples:\n${sources.map(({ example }) => `  npm run touchstone -- ${example}`).join("\n")}`,
    );
  for (const { name, description, run, example } of sources) {
    command
      .command(name)
      .description(description)
      .argument("<file>", "the data set's JSON file")
      .requiredOption("--out <dir>", "where the folder of the task is made")
      .option("--lang <zh|en>", "language of what is printed (default: by $LANG)")
      .option("--json", "print one JSON object as the last line of stdout, all else to stderr")
      .addHelpText("after", `\nExample:\n  npm run touchstone -- ${example}`)
      .action(async (file: string, options: ImportOptions) => {
        const report = createReport(shell, options);
        const imported = await run(file, options.out);
        const words = importWords[report.language];
        report.say(words.imported(imported.samples, imported.labelled, imported.batchDir));
        for (const warning of imported.warnings)
          report.say(`${report.colors.yellow(words.warning)} ${printableLine(warning)}`);
        report.say(words.next(shellQuoted(imported.batchDir)));
        report.answer(imported);
      });
  }
};
