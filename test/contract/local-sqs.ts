/** SQS for the contract and adapter suites: fauxqs on loopback, reached through the very client that functions use. */
import type { SQSClient } from "@aws-sdk/client-sqs";
import { startFauxqs } from "fauxqs";
import { sqsClient } from "../../functions/_aws/clients.ts";
import { useTestCredentials } from "./loopback.ts";
import { fresh } from "./records.ts";

export interface LocalSqs {
  readonly client: SQSClient;
  /** A new, empty queue. */
  createQueue(): { readonly url: string; readonly bodies: () => readonly string[] };
  close(): Promise<void>;
}

export const startSqs = async (): Promise<LocalSqs> => {
  const server = await startFauxqs({ port: 0, logger: false });
  useTestCredentials();
  process.env.AWS_ENDPOINT_URL_SQS = `http://127.0.0.1:${server.port}`;
  const client = sqsClient();
  return {
    client,
    createQueue: () => {
      const name = fresh("queue");
      const region = process.env.AWS_REGION ?? "";
      const { queueUrl } = server.createQueue(name, { region });
      return {
        url: queueUrl,
        bodies: () => {
          const { ready = [], delayed = [] } = server.inspectQueue(name)?.messages ?? {};
          return [...ready, ...delayed].map((message) => message.body);
        },
      };
    },
    close: async () => {
      client.destroy();
      await server.stop();
    },
  };
};
