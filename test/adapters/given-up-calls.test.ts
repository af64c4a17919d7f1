/** A call that nobody waits for any more is ended on the wire: the endpoint sees its connection close (case 27). */
import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { openAiChatModel } from "../../functions/_aws/openai-chat-model.ts";
import { sageMakerChatModel } from "../../functions/_aws/sagemaker-chat-model.ts";
import { callSignal } from "../../functions/_pressure/call-signal.ts";
import { question } from "../contract/chat-model-contract.ts";
import { type Loopback, listen, useTestCredentials } from "../contract/loopback.ts";

const open: Loopback[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Takes every request, never answers, and tells when the first one's connection has gone. */
const silentServer = async () => {
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<"closed">();
  const server = await listen(
    createServer((request, response) => {
      request.resume();
      response.once("close", () => closed.resolve("closed"));
      begun.resolve();
    }),
  );
  open.push(server);
  return { url: server.url, begun: begun.promise, closed: closed.promise };
};

const models = {
  "an OpenAI-compatible server": (url: string) =>
    openAiChatModel({ url, model: "judge-1", timeoutMs: 60_000, clock: Date.now }),
  SageMaker: (url: string) => {
    useTestCredentials();
    process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME = url;
    return sageMakerChatModel({ client: sageMakerClient(), name: "judge" }, "judge-1");
  },
} as const;

test.each(Object.entries(models))("%s sees its connection close", async (_, modelAt) => {
  const { url, begun, closed } = await silentServer();
  const giveUp = new AbortController();
  const failed = expect(modelAt(url).complete(question, giveUp.signal)).rejects.toMatchObject({
    kind: "transient",
    code: "timed-out",
  });
  await begun;
  giveUp.abort();
  await failed;
  expect(await closed).toBe("closed");
});

test("a call is given up when the function's time is up, however long the model may take", async () => {
  const { url } = await silentServer();
  const model = models["an OpenAI-compatible server"](url);
  const call = model.complete(question, callSignal(60_000, Date.now() + 100, Date.now));
  await expect(call).rejects.toMatchObject({ kind: "transient", code: "timed-out" });
});

test("a deadline that has passed gives no time at all", async () => {
  const signal = callSignal(60_000, Date.now() - 1_000, Date.now);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  expect(signal.aborted).toBe(true);
});

test("a deadline may lie between two milliseconds", async () => {
  const signal = callSignal(60_000, Date.now() + 1 / 3, Date.now);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  expect(signal.aborted).toBe(true);
});
