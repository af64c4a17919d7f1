/** `npm run synth`: writes the CloudFormation templates and everything they refer to. */
import path from "node:path";
import { Command, Option } from "commander";
import { buildApp, checkStacks } from "./app.ts";
import { configFrom, nativeChoices, stageNames } from "./config.ts";

const command = new Command("synth")
  .description("Writes the CloudFormation templates, bundles and layers. Needs no account and no Docker.")
  .addOption(new Option("--stage <name>", "configuration to use").choices(stageNames).default("dev"))
  .addOption(
    new Option(
      "--native <kind>",
      "native packages for Lambda (arm64, fetched once) or for this machine (host); default: as configured",
    ).choices(nativeChoices),
  )
  .option("--time-scale <n>", "divide every duration by n; for tests on the embedded AWS only")
  .option("--judge-url <url>", "the judge's OpenAI-compatible address, up to /v1")
  .option("--judge-model <name>", "the judge's model name")
  .option("--captioner-url <url>", "the captioner's OpenAI-compatible address, up to /v1")
  .option("--captioner-model <name>", "the captioner's model name")
  .option("--media-hosts <list>", "comma-separated hosts from which pictures may be fetched")
  .option("--out <directory>", "where to write", "cdk.out")
  .action(async ({ out, ...context }: Readonly<Record<string, string>>) => {
    const started = performance.now();
    const app = await buildApp(configFrom(context), out ?? "cdk.out", { report: console.log });
    await checkStacks(app);
    const assembly = app.synth();
    for (const stack of assembly.stacksRecursively)
      console.log(`synthesised ${path.relative(process.cwd(), stack.templateFullPath)}`);
    console.log(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  });

try {
  await command.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
