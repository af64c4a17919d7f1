/** The command line of `npm start`. */
import { Command, InvalidArgumentError } from "commander";

export interface RunOptions {
  /** Batch folders of the user; none: the demo. */
  readonly folders: readonly string[];
  readonly task?: string;
  /** End when every sample is decided. */
  readonly exit: boolean;
  /** One JSON object as the last line of stdout; all else goes to stderr. */
  readonly json: boolean;
  /** Port of the review API; the services take the next four. */
  readonly port?: number;
  /** An assembly that is synthesised already, run as it is. */
  readonly assembly?: string;
  /** Keeps buckets, queues and tables from run to run. */
  readonly dataDir?: string;
  readonly language: "zh" | "en";
}

const example = `
Examples:
  npm start                                   the demo: three tasks, pictures included
  npm start -- ./my-batch --exit --json       your own folder (samples.jsonl, media, template.yaml)
  npm start -- --data-dir ./data              keeps everything there; the next start goes on with what was open
  JUDGE_URL=http://127.0.0.1:8000/v1 JUDGE_MODEL=my-vlm npm start
`;

const readPort = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 1023 && port < 65_531) return port;
  throw new InvalidArgumentError("a port is a whole number from 1024 to 65530");
};

/** Parses the arguments after `npm start --`; prints help or a usage error and exits by itself. */
export const readOptions = (argv: readonly string[]): RunOptions => {
  const command = new Command("npm start --")
    .description(
      "Runs the whole pipeline on this machine: the bundles that would be deployed, on an embedded AWS, with real model servers. No account, no GPU, no Docker.",
    )
    .argument("[folders...]", "batch folders to run instead of the demo")
    .option(
      "--task <name>",
      "task of the folders; default: the task of their template.yaml, or the folder's name",
    )
    .option("--exit", "end as soon as every sample is decided", false)
    .option("--json", "last line of stdout is one JSON object; everything else goes to stderr", false)
    .option(
      "--port <port>",
      "port of the review API; S3, SQS, DynamoDB and SageMaker take the next four",
      readPort,
    )
    .option("--assembly <dir>", "run this synthesised assembly as it is, instead of synthesising anew")
    .option(
      "--data-dir <dir>",
      "keep buckets, queues and tables in this directory, also if the run is killed",
    )
    .option(
      "--lang <language>",
      "zh or en; default by LANG",
      process.env.LANG?.startsWith("zh") ? "zh" : "en",
    )
    .addHelpText("after", example)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  command.parse([...argv], { from: "user" });
  const { lang, ...given } = command.opts<Omit<RunOptions, "folders" | "language"> & { lang: string }>();
  return { ...given, folders: command.args, language: lang === "zh" ? "zh" : "en" };
};
