/** Runs the operator's command line against an embedded pipeline, at a moment that the test chooses. */
import path from "node:path";
import { openConnection } from "../../infra/cli/connection.ts";
import { runCli } from "../../infra/cli/run-cli.ts";
import type { EmbeddedPipeline } from "./embedded-pipeline.ts";

export const runIn = async (
  { directory }: Pick<EmbeddedPipeline, "directory">,
  args: readonly string[],
  now: number,
): Promise<{ readonly code: number; readonly out: string; readonly err: string; readonly json: unknown }> => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    root: directory,
    env: { LANG: "en_GB.UTF-8" },
    now: () => now,
    stdout: (line) => void out.push(line),
    stderr: (line) => void err.push(line),
    isColored: false,
    connect: (options) =>
      openConnection({ ...options, embedded: true, sessionFile: path.join(directory, "session.json") }),
  });
  const json: unknown = args.includes("--json") ? JSON.parse(out.at(-1) ?? "null") : null;
  return { code, out: out.join("\n"), err: err.join("\n"), json };
};
