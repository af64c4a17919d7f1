/** `touchstone probe`: checks a judge's server, and stores what it found where SCORE takes it into the fingerprint. */
import { probeHash } from "@touchstone/core/domain/probe/probe-identity";
import type { ProbeRecord } from "@touchstone/core/schema/probe";
import type { Command } from "commander";
import { chatModel } from "../../../functions/_aws/chat-model.ts";
import { sageMakerClient } from "../../../functions/_aws/clients.ts";
import { writeJudgeProbe } from "../../../functions/_aws/s3-judge-probe.ts";
import type { Connection } from "../connection.ts";
import { onlyModel, probeJudge } from "../probe-judge.ts";
import { usage } from "../problem.ts";
import { renderProbe } from "../render/probe.ts";
import { createReport, type ReportOptions, withReportOptions } from "../report.ts";
import { isNothingRunning } from "../session.ts";
import type { Shell } from "../shell.ts";
import { probeProblems, probeWords } from "../words/probe-words.ts";

interface ProbeOptions extends ReportOptions {
  readonly judge: string;
  readonly model?: string;
}

const timeoutMs = 120_000;

export const addProbe = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("probe")
      .description("check what a judge's tokens and probabilities are worth, and store it in its fingerprint")
      .requiredOption("--judge <url>", "an OpenAI-compatible server, or sagemaker:ENDPOINT")
      .option("--model <name>", "the model asked for (default: $JUDGE_MODEL, else the only one it lists)"),
  )
    .addHelpText(
      "after",
      `
Use the address and the model name that SCORE uses (JUDGE_URL, JUDGE_MODEL): the record is found by them.
A key is taken from $JUDGE_API_KEY.

Example:
  npm run touchstone -- probe --judge http://gpu-1:8000 --model judge-7b`,
    )
    .action(async (options: ProbeOptions) => {
      const report = createReport(shell, options);
      const url = options.judge;
      if (!/^(?:stream\+)?(?:https?:\/\/[^/]+|sagemaker:.)/.test(url)) throw usage(probeProblems.badUrl(url));
      const model = options.model ?? (shell.env.JUDGE_MODEL || (await onlyModel(url)));
      const judge = chatModel(url, model, {
        sageMaker: sageMakerClient,
        timeoutMs,
        clock: shell.now,
        apiKey: shell.env.JUDGE_API_KEY || undefined,
      });
      const record = await probeJudge(judge, url, shell.now());
      report.say(renderProbe(record, report));
      const uri = await store(record, shell, options);
      const words = probeWords[report.language];
      const hash = probeHash(record);
      report.say(uri === null ? words.notStored : words.stored(uri, hash));
      report.answer({ ...record, hash, stored: uri });
    });
};

/** Null where nothing runs: what was found is shown all the same. */
const store = async (
  record: ProbeRecord,
  shell: Shell,
  { outputs }: ProbeOptions,
): Promise<string | null> => {
  let connection: Connection;
  try {
    connection = await shell.connect(outputs === undefined ? {} : { outputsFile: outputs });
  } catch (error) {
    if (outputs === undefined && isNothingRunning(error)) return null;
    throw error;
  }
  try {
    return await writeJudgeProbe(connection.blobs, connection.uploadsBucket, record);
  } finally {
    connection.close();
  }
};
