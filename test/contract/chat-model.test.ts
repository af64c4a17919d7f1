/** The chat model contract against a script, an OpenAI-compatible server and a SageMaker endpoint. */
import type { ChatCompletion } from "@touchstone/core/schema/chat";
import { describe, expect, test } from "vitest";
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { openAiChatModel } from "../../functions/_aws/openai-chat-model.ts";
import { sageMakerChatModel } from "../../functions/_aws/sagemaker-chat-model.ts";
import { modelStreamError, payloadPart } from "../../infra/local/sagemaker/event-stream.ts";
import { type ChatTurnScript, scriptedChatModel } from "../memory/scripted-chat-model.ts";
import { chatModelContract, type OpenChatModel, question } from "./chat-model-contract.ts";
import { useTestCredentials } from "./loopback.ts";
import { awsError, json, type Line, serveScript } from "./model-servers.ts";

chatModelContract(
  "script",
  async (script) => ({ model: scriptedChatModel(script), close: async () => undefined }),
  {
    retryAfter: true,
  },
);

const contextWords = (limit: number): string =>
  `This model's maximum context length is ${limit} tokens. However, your request has 5000 input tokens.`;

const httpLine = (turn: ChatTurnScript): Line => {
  switch (turn.kind) {
    case "answer":
      return json(200, turn.completion);
    case "throttled":
      return json(
        429,
        { error: { message: "slow down" } },
        { "retry-after": String(turn.retryAfterSeconds) },
      );
    case "unavailable":
      return {
        status: 502,
        headers: { "content-type": "text/html" },
        body: "<title>502 Bad Gateway</title>",
      };
    case "refused":
      return json(422, { error: { message: "no such field" } });
    case "too-large":
      return json(413, { error: { message: "Request Entity Too Large" } });
    case "too-long":
      return json(400, { object: "error", message: contextWords(turn.limitTokens), code: 400 });
    case "silent":
      return "silent";
    default:
      return turn satisfies never;
  }
};

chatModelContract(
  "OpenAI protocol",
  async (script) => {
    const server = await serveScript(script.map(httpLine));
    const options = { url: server.url, model: "judge-1", timeoutMs: 10_000, clock: () => 0 };
    return { model: openAiChatModel(options), close: server.close };
  },
  { retryAfter: true },
);

/** A completion in pieces of a few characters, its tokens each with the piece that it ends. */
const events = (completion: ChatCompletion): string => {
  const { choices, ...rest } = completion;
  const [choice] = choices ?? [];
  const content = choice?.message?.content ?? "";
  const pieces: object[] = (content.match(/[\s\S]{1,5}/g) ?? []).map((text) => ({
    ...rest,
    usage: null,
    choices: [{ index: 0, delta: { content: text }, logprobs: null, finish_reason: null }],
  }));
  const last = { index: 0, delta: {}, logprobs: choice?.logprobs, finish_reason: choice?.finish_reason };
  const all = choice
    ? [...pieces, { ...rest, usage: null, choices: [last] }, { ...rest, choices: [] }]
    : [rest];
  return `${all.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join("")}data: [DONE]\n\n`;
};

const streamedLine = (turn: ChatTurnScript): Line =>
  turn.kind === "answer"
    ? {
        status: 200,
        headers: { "content-type": "text/event-stream; charset=utf-8" },
        body: events(turn.completion),
      }
    : httpLine(turn);

chatModelContract(
  "OpenAI protocol, streamed",
  async (script) => {
    const server = await serveScript(script.map(streamedLine));
    const options = { url: server.url, model: "judge-1", timeoutMs: 10_000, clock: () => 0 };
    return { model: openAiChatModel({ ...options, isStreamed: true }), close: server.close };
  },
  { retryAfter: true },
);

const modelError = (status: number, message: string): Line =>
  awsError(424, "ModelError", { Message: message, OriginalStatusCode: status, OriginalMessage: message });

const sageMakerLine = (turn: ChatTurnScript): Line => {
  switch (turn.kind) {
    case "answer":
      return json(200, turn.completion);
    case "throttled":
      return awsError(400, "ThrottlingException", { message: null });
    case "unavailable":
      return modelError(500, "Received server error (500): <title>500 Internal Server Error</title>");
    case "refused":
      return modelError(422, "Received client error (422)");
    case "too-large":
      return awsError(400, "ValidationException", { Message: "Request body is oversize" });
    case "too-long":
      return modelError(400, contextWords(turn.limitTokens));
    case "silent":
      return "silent";
    default:
      return turn satisfies never;
  }
};

const sageMaker =
  (isStreamed: boolean, lineOf: (turn: ChatTurnScript) => Line): OpenChatModel =>
  async (script) => {
    const server = await serveScript(script.map(lineOf));
    useTestCredentials();
    process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME = server.url;
    const client = sageMakerClient();
    return {
      model: sageMakerChatModel({ client, name: "judge" }, "judge-1", isStreamed),
      close: async () => {
        client.destroy();
        await server.close();
      },
    };
  };

chatModelContract("SageMaker", sageMaker(false, sageMakerLine), { retryAfter: false });

const eventStream = (...parts: readonly Buffer[]): Line => ({
  status: 200,
  headers: { "content-type": "application/vnd.amazon.eventstream" },
  body: Buffer.concat(parts),
});
const eventLine = (turn: ChatTurnScript): Line => {
  if (turn.kind !== "answer") return sageMakerLine(turn);
  const bytes = Buffer.from(events(turn.completion));
  // Cut anywhere, in the middle of a character too.
  return eventStream(payloadPart(bytes.subarray(0, 137)), payloadPart(bytes.subarray(137)));
};

chatModelContract("SageMaker, streamed", sageMaker(true, eventLine), { retryAfter: false });

describe("an answer in pieces", () => {
  const ask = async (...lines: readonly Line[]) => {
    const server = await serveScript(lines);
    useTestCredentials();
    process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME = server.url;
    const client = sageMakerClient();
    const model = sageMakerChatModel({ client, name: "judge" }, "judge-1", true);
    try {
      return await model.complete(question, new AbortController().signal);
    } finally {
      client.destroy();
      await server.close();
    }
  };
  const part = (text: string) => payloadPart(Buffer.from(text));

  test("that breaks off is a failed call, not a short answer", async () => {
    const broken = eventStream(
      part('data: {"choices":[{"delta":{"content":"{"}}]}\n'),
      modelStreamError("too slow"),
    );
    await expect(ask(broken)).rejects.toMatchObject({ kind: "transient" });
  });

  test("that simply ends has no finish reason, so it counts as cut", async () => {
    const found = await ask(eventStream(part('data: {"choices":[{"delta":{"content":"{}"}}]}\n')));
    expect(found.choices?.[0]).toMatchObject({
      finish_reason: null,
      message: { content: "{}" },
      logprobs: null,
    });
  });

  test("as LMI writes it, a JSON object a line, is read with its tokens", async () => {
    const line = (token: string, finish_reason: string | null) =>
      `${JSON.stringify({
        object: "chat.completion.chunk",
        choices: [
          {
            index: 0,
            delta: { content: token },
            logprobs: [
              {
                content: [
                  {
                    token,
                    logprob: -0.5,
                    bytes: [65],
                    top_logprobs: [{ token: -0.5, logprob: -0.5, bytes: [65] }],
                  },
                ],
              },
            ],
            finish_reason,
          },
        ],
      })}\n`;
    const found = await ask(eventStream(part(line("A", null)), part(line("A", "eos_token"))));
    expect(found.choices?.[0]).toMatchObject({
      finish_reason: "eos_token",
      message: { content: "AA" },
      logprobs: { content: [{ token: "A", top_logprobs: [{ token: "A" }] }, { token: "A" }] },
    });
  });

  test("that is none says so", async () => {
    await expect(ask(eventStream(part("<title>oops</title>")))).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});
