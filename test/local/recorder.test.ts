/** The recorder: calls by caller and resource, pieces of 64 KB, DynamoDB units, invocations, and what functions print. */
import { expect, test } from "vitest";
import { createRecorder } from "../../infra/local/recorder.ts";
import type { ServiceCall } from "../../infra/local/tap.ts";

const call = (part: Partial<ServiceCall>): ServiceCall => ({
  ...{ service: "sqs", operation: "SendMessageBatch", resource: "work", caller: "Score", requestBytes: 100 },
  ...part,
});

test("calls are added up by caller, operation and resource, with what they would be billed as", () => {
  const recorder = createRecorder();
  recorder.after?.(call({ requestBytes: 65_536 }), { status: 200, responseBytes: 50 });
  recorder.after?.(call({ requestBytes: 65_537 }), { status: 500, responseBytes: 200_000 });
  recorder.after?.(call({ resource: "other" }), { status: 200, responseBytes: 0 });
  recorder.after?.(call({ service: "dynamodb", operation: "PutItem", resource: "table" }), {
    ...{ status: 200, responseBytes: 2, capacityUnits: 1.5 },
  });
  for (const key of ["a", "b"])
    recorder.after?.(call({ service: "s3", operation: "GetObject", resource: `bucket/${key}/x` }), {
      ...{ status: 200, responseBytes: 9 },
    });
  expect(recorder.calls()).toEqual([
    {
      ...{ caller: "Score", service: "sqs", operation: "SendMessageBatch", resource: "work" },
      ...{ calls: 2, errors: 1, requestBytes: 131_073, responseBytes: 200_050, chunks: 5, capacityUnits: 0 },
    },
    expect.objectContaining({ resource: "other", calls: 1, chunks: 1 }),
    expect.objectContaining({ resource: "table", capacityUnits: 1.5 }),
    expect.objectContaining({ resource: "bucket", calls: 2, responseBytes: 18 }),
  ]);
});

test("what functions print is counted in UTF-8 bytes, and all counts can begin anew", () => {
  const recorder = createRecorder();
  recorder.recordOutput("Score", "机审");
  recorder.recordOutput("Score", "x");
  recorder.recordInvocation({ functionId: "Score", durationMs: 1.2, initMs: 3, outcome: "result" });
  expect(recorder.output()).toEqual([{ functionId: "Score", lines: 2, bytes: 7 }]);
  expect(recorder.invocations()).toMatchObject([{ invocations: 1, coldStarts: 1, billedMs: 5 }]);
  recorder.reset();
  expect([recorder.calls(), recorder.invocations(), recorder.output()]).toEqual([[], [], []]);
});
