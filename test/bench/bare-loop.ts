/** The yardstick of the throughput bench: the least that any such pipeline must do, against the same emulators. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { sqsSender } from "../../functions/_aws/sqs-sender.ts";
import type { BareLoopSettings } from "./bare-loop-worker.ts";
import { benchLine } from "./bench-task.ts";

const runSchema = z.object({ seconds: z.number(), cpuMs: z.number() });
export type BareRun = z.infer<typeof runSchema>;

export interface BareLoop {
  /** Fills the queue, unmeasured, and works it off. */
  run(samples: number): Promise<BareRun>;
  stop(): Promise<void>;
}

/** Endpoints and credentials are those of the environment, as the CLI's connection has set them. */
export async function startBareLoop(options: {
  readonly concurrency: number;
  readonly judgeUrl: string;
}): Promise<BareLoop> {
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const dynamo = new DynamoDBClient({});
  const queue = async (QueueName: string): Promise<string> =>
    (await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: "600" } })))
      .QueueUrl ?? "";
  const table = "bench-bare";
  await dynamo.send(
    new CreateTableCommand({
      TableName: table,
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  const from = await queue("bench-bare-from");
  const settings: BareLoopSettings = {
    ...options,
    judgeUrl: `${options.judgeUrl}/v1/chat/completions`,
    table,
    from,
    to: await queue("bench-bare-to"),
  };
  const worker = new Worker(new URL("./bare-loop-worker.ts", import.meta.url), { workerData: settings });
  const failed = once(worker, "error").then(([error]) => {
    throw error;
  });
  // A failure between two runs is told by the next one.
  failed.catch(() => {});
  const sender = sqsSender<unknown>(sqs, from);
  return {
    async run(samples) {
      const messages = Array.from({ length: samples }, (_, index): unknown =>
        JSON.parse(benchLine("bare", index)),
      );
      await sender.send(messages);
      worker.postMessage(samples);
      const [answer] = await Promise.race([once(worker, "message"), failed]);
      return runSchema.parse(answer);
    },
    async stop() {
      await worker.terminate();
      sqs.destroy();
      dynamo.destroy();
    },
  };
}
