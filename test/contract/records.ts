/** Small valid records for the contract suites; each takes what the test is about and fills in the rest. */

import type { Gist } from "@touchstone/core/schema/gist";
import { batchIdSchema, type SampleKey, taskIdSchema } from "@touchstone/core/schema/identity";
import type { BatchRecord, SplitRecord } from "@touchstone/core/schema/ledger";
import type { Result } from "@touchstone/core/schema/result";
import type { ReviewTask, Verdict } from "@touchstone/core/schema/review";

let made = 0;
/** Names never repeat, so that suites can share one table. */
export const fresh = (name: string): string => {
  made += 1;
  return `${name}-${process.pid}-${made}`;
};

export const batchId = (name = fresh("批次")) => batchIdSchema.parse(`dialogue/${name}/a b+c.jsonl@v1`);
export const taskId = (name = "dialogue") => taskIdSchema.parse(name);

export const sampleKey = (ordinal = 0, batch = batchId()): SampleKey => ({
  batch,
  run: 1,
  split: 0,
  ordinal,
});

export const batchRecord = (part: Partial<BatchRecord> = {}): BatchRecord => ({
  batch: batchId(),
  run: 1,
  task: "dialogue",
  source: { bucket: "uploads", key: "inbox/dialogue/批次/a b+c.jsonl", versionId: "v1" },
  bytes: 1234,
  sequencer: "0055AED6DCD90281E5",
  callType: "score",
  arrivedAt: 1_700_000_000_000,
  openedAt: 1_700_000_001_000,
  splitsSent: 0,
  doneSplits: new Set(),
  finalSplits: new Set(),
  revision: 0,
  ...part,
});

export const splitRecord = (part: Partial<SplitRecord> = {}): SplitRecord => ({
  batch: batchId(),
  run: 1,
  split: 0,
  samples: 5,
  firstLine: 1,
  outcomes: new Uint8Array([0x21, 0, 0]),
  reviewed: new Uint8Array(1),
  audited: new Uint8Array(1),
  tally: { dialogue: { "1888888": { machine: 1, review: 1 } } },
  version: 0,
  ...part,
});

export const result = (part: Partial<Result> = {}): Result => ({
  schema: 1,
  sampleId: "s-1",
  task: "dialogue",
  line: 1,
  decision: "machine",
  reasons: [{ code: "confident" }],
  vouchedBy: "provisional-threshold",
  certified: false,
  audit: false,
  fields: [
    {
      id: "relevance",
      value: "good",
      confidence: { source: "logprob", raw: 0.97, calibrated: null },
    },
  ],
  template: { task: taskId(), version: 1, versionId: "v1" },
  fingerprint: "f00d",
  promptSha256: null,
  judge: "judge-1",
  usage: { judgeCalls: 1, promptTokens: 900, completionTokens: 20 },
  latencyMs: { judge: 50.5, total: 61 },
  callType: "score",
  decidedAt: 1_700_000_002_000,
  ...part,
});

export const verdict = (part: Partial<Verdict> = {}): Verdict => ({
  schema: 1,
  reviewer: "李雷",
  values: { relevance: "bad" },
  at: 1_700_000_003_000,
  ...part,
});

export const reviewTask = (part: Partial<ReviewTask> = {}): ReviewTask => {
  const key = part.key ?? sampleKey();
  return {
    schema: 1,
    id: `${key.batch}#${key.run}#${key.split}#${key.ordinal}#review`,
    key,
    sampleId: "s-1",
    task: "dialogue",
    kind: "review",
    payload: { sample: { id: "s-1", input: "问", output: "答", meta: { tiny: 1e-200, huge: 1e300 } } },
    reasons: [{ code: "low-confidence", field: "relevance", detail: "0.71 < 0.90" }],
    questions: ["relevance"],
    prefill: [],
    gists: [],
    template: null,
    priority: 0.5,
    slaHours: 72,
    state: "open",
    createdAt: 1_700_000_002_000,
    dueAt: 1_700_259_202_000,
    ...part,
  };
};

export const gist = (part: Partial<Gist> = {}): Gist => ({
  hash: "ab".repeat(32),
  strategy: "mixed",
  unsure: true,
  text: "一只猫坐在键盘上。\n右下角写着：SALE 50%",
  flags: ["cut"],
  width: 640,
  height: 480,
  captioner: "ocr-1",
  strategyModel: "convnext-1",
  tokens: 40,
  ...part,
});

/** A minimal template as its owner would write it. */
export const templateYaml = (task: string, version: number): string => `task: ${task}
version: ${version}
family: dialogue
title: { zh: 对话, en: Dialogue }
standard: 回答切题即为好。
fields:
  - id: relevance
    kind: label
    title: Relevance
    labels:
      - { code: A, name: good }
      - { code: B, name: bad }
`;
