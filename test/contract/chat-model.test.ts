/** The chat model contract against a script, an OpenAI-compatible server and a SageMaker endpoint. */
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { openAiChatModel } from "../../functions/_aws/openai-chat-model.ts";
import { sageMakerChatModel } from "../../functions/_aws/sagemaker-chat-model.ts";
import { type ChatTurnScript, scriptedChatModel } from "../memory/scripted-chat-model.ts";
import { chatModelContract } from "./chat-model-contract.ts";
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

chatModelContract(
  "SageMaker",
  async (script) => {
    const server = await serveScript(script.map(sageMakerLine));
    useTestCredentials();
    process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME = server.url;
    const client = sageMakerClient();
    return {
      model: sageMakerChatModel({ client, name: "judge" }, "judge-1"),
      close: async () => {
        client.destroy();
        await server.close();
      },
    };
  },
  { retryAfter: false },
);
