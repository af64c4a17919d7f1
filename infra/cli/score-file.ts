/** Scores the samples of a file with recorded answers: no server, no stack, and the same core as SCORE. */
import { createReadStream } from "node:fs";
import path from "node:path";
import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { judgedResult } from "@touchstone/core/domain/decide/judged-result";
import { exactReading } from "@touchstone/core/domain/decide/readings";
import { bareResult } from "@touchstone/core/domain/intake/entry-message";
import type { Row } from "@touchstone/core/domain/intake/read-row";
import { askedFields, asksJudge } from "@touchstone/core/domain/judge/asked-fields";
import { recallExamples } from "@touchstone/core/domain/judge/recall";
import { recordedJudging } from "@touchstone/core/domain/judge/recorded-judging";
import { scoreExact } from "@touchstone/core/domain/score-exact/score-exact";
import type { LabelledExample } from "@touchstone/core/ports";
import { batchIdSchema, formatSampleKey } from "@touchstone/core/schema/identity";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Template } from "@touchstone/core/schema/template";
import { readBatchFile } from "../../functions/_batch/read-batch-file.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";

export interface ScoreTask {
  readonly template: Template;
  readonly examples: readonly LabelledExample[];
  readonly answers: RecordedAnswers;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Names the model where a recorded answer does not. */
const unnamedModel = "recorded";

/**
 * One result a line, in the order of the file, JSONL, gzip or CSV; a line that is no sample is `invalid`, as INTAKE
 * would have it. Pictures are not looked at.
 */
export async function* scoreFile(file: string, task: ScoreTask): AsyncGenerator<Result> {
  const name = path.basename(file);
  const source = { bucket: "local", key: name };
  // A stream of bytes, as S3 gives them.
  const rows = readBatchFile({ stream: async () => createReadStream(file) }, source);
  let ordinal = 0;
  for await (const row of rows) {
    yield row.kind === "bad" ? badResult(row, task) : scoreRow(row, name, ordinal, task);
    ordinal += 1;
  }
}

const badResult = (row: Extract<Row, { kind: "bad" }>, { template, now }: ScoreTask): Result => {
  const { code, field, message } = row.fault;
  const reason = { code, detail: message, ...(field === "" ? {} : { field }) };
  return bareResult(row.sampleId, template.task, row.line, "invalid", reason, { callType: "score" }, now);
};

const scoreRow = (
  { sample, line }: Extract<Row, { kind: "sample" }>,
  name: string,
  ordinal: number,
  task: ScoreTask,
): Result => {
  const { template, now } = task;
  const request = requestOf(sample, line, name, ordinal, task);
  const exact = template.scorers.map((scorer) => exactReading(scoreExact(scorer, sample)));
  const found = { request, sample, template, exact, probe: null, trust: null, startedAt: now, now };
  if (!asksJudge(template)) return judgedResult({ ...found, judged: null });
  const completion = task.answers.take(sample.id);
  const judging = recordedJudging(promptInputOf(request, sample, task), completion ? [completion] : []);
  return judgedResult({
    ...found,
    judged: { judging, model: completion?.model ?? unnamedModel, judgeMs: 0 },
  });
};

const requestOf = (
  sample: Sample,
  line: number,
  name: string,
  ordinal: number,
  { template, now }: ScoreTask,
): ScoreRequest => ({
  schema: 1,
  key: { batch: batchIdSchema.parse(`${template.task}/recorded/${name}@local`), run: 1, split: 0, ordinal },
  sampleId: sample.id,
  line,
  source: { bucket: "local", key: name },
  payload: { sample },
  template: { task: template.task, version: template.version, versionId: "local" },
  callType: "score",
  arrivedAt: now,
  gists: [],
  problems: [],
});

const promptInputOf = (request: ScoreRequest, sample: Sample, { template, examples }: ScoreTask) => ({
  template,
  fields: askedFields(template),
  sample,
  examples: recallExamples(examples, sample, template.memory.examples),
  gists: [],
  problems: [],
  images: [],
  nonce: sha256(formatSampleKey(request.key)).slice(0, 16),
});
