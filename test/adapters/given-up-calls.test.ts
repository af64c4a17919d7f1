/** A call that nobody waits for any more is ended on the wire: the endpoint sees its connection close (case 27). */
import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { openAiChatModel } from "../../functions/_aws/openai-chat-model.ts";
import { sageMakerChatModel } from "../../functions/_aws/sagemaker-chat-model.ts";
import { withCallSignal } from "../../functions/_pressure/call-signal.ts";
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
  const limits = { timeoutMs: 60_000, deadline: Date.now() + 100, clock: Date.now };
  const call = withCallSignal(limits, (signal) => model.complete(question, signal));
  await expect(call).rejects.toMatchObject({ kind: "transient", code: "timed-out" });
});

test.each([
  ["a deadline that has passed gives no time at all", -1_000],
  ["a deadline may lie between two milliseconds", 1 / 3],
])("%s", async (_what, leftMs) => {
  const limits = { timeoutMs: 60_000, deadline: Date.now() + leftMs, clock: Date.now };
  const given = await withCallSignal(limits, async (signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return signal;
  });
  expect(given.aborted).toBe(true);
});

test("the timer of a call ends with it", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const limits = { timeoutMs: 60_000, deadline: Date.now() + 60_000, clock: Date.now };
  await withCallSignal(limits, async () => expect(timers()).toBe(before + 1));
  await expect(withCallSignal(limits, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(timers()).toBe(before);
});
