/** The message sender contract against memory and SQS. */
import { afterAll, beforeAll } from "vitest";
import { sqsSender } from "../../functions/_aws/sqs-sender.ts";
import { memorySender } from "../memory/memory-sender.ts";
import { type LocalSqs, startSqs } from "./local-sqs.ts";
import { type Note, senderContract } from "./sender-contract.ts";

let sqs: LocalSqs;
beforeAll(async () => {
  sqs = await startSqs();
});
afterAll(() => sqs.close());

senderContract("memory", {
  open: async () => {
    const sender = memorySender<Note>();
    return { sender, received: async () => sender.sent.map(({ message }) => message) };
  },
});

senderContract("SQS", {
  open: async () => {
    const queue = sqs.createQueue();
    return {
      sender: sqsSender<Note>(sqs.client, queue.url),
      received: async () => queue.bodies().map((body) => JSON.parse(body)),
    };
  },
});
