/**
 * The baseline captioner: real OCR behind the OpenAI chat protocol. `node infra/endpoints/captioner/server.ts --port N`
 * prints one line `{"listening": url}` when it is ready.
 */
import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isUnreadable } from "../image-strategy/decode-image.ts";
import {
  closeOnSignal,
  HttpProblem,
  type HttpReply,
  type RunningServer,
  startHttpServer,
} from "../image-strategy/http-server.ts";
import { createWorkLimit, type WorkLimit } from "../image-strategy/work-limit.ts";
import { captionWords } from "./caption-words.ts";
import { type Captioner, loadCaptioner } from "./captioner.ts";
import { readCaptionRequest } from "./chat-request.ts";
import { countImageTokens, countTokens, cutToTokens } from "./tokens.ts";

export const captionerModel = "touchstone-ocr-captioner-1 (baseline)";

const maxBodyBytes = 48 * 1024 * 1024;
/** The networks use every core by themselves; a second picture is decoded meanwhile. */
const running = 2;
const maxWaiting = 64;

/** Loads the networks, then listens on `host` (default 127.0.0.1); `port` 0 picks a free one. */
export async function startCaptioner(options: { port: number; host?: string }): Promise<RunningServer> {
  const caption = await loadCaptioner(availableParallelism());
  const limit = createWorkLimit(running, maxWaiting);
  const started = Math.floor(Date.now() / 1000);
  return startHttpServer({
    host: options.host ?? "127.0.0.1",
    port: options.port,
    maxBodyBytes,
    errorBody: (problem) => ({
      error: {
        message: problem.message,
        type: errorType(problem.status),
        param: problem.param,
        code: problem.code,
      },
    }),
    routes: {
      "GET /health": () => ({ status: 200, body: { status: "ok", model: captionerModel } }),
      "GET /v1/models": () => ({
        status: 200,
        body: {
          object: "list",
          data: [{ id: captionerModel, object: "model", created: started, owned_by: "touchstone" }],
        },
      }),
      "POST /v1/chat/completions": ({ body }) => complete(body, caption, limit),
    },
  });
}

async function complete(body: Buffer, caption: Captioner, limit: WorkLimit): Promise<HttpReply> {
  const request = readCaptionRequest(body);
  const captions: string[] = [];
  let promptTokens = countTokens(request.prompt);
  const { overlap } = request;
  const pictures = overlap === null ? request.images.map((image) => [image]) : [request.images];
  for (const [i, tiles] of pictures.entries()) {
    const described = await limit(() => caption(tiles, overlap ?? 0, request.style, request.language)).catch(
      (error: unknown) => {
        throw isUnreadable(error) ? unreadable(error, i) : error;
      },
    );
    promptTokens += countImageTokens(described.width, described.height);
    const heading = pictures.length > 1 ? [captionWords[request.language].image(i + 1)] : [];
    captions.push([...heading, described.text].join("\n"));
  }
  const answer = cutToTokens(captions.join("\n\n"), request.maxTokens);
  const completionTokens = countTokens(answer.text);
  return {
    status: 200,
    body: {
      id: `chatcmpl-${randomUUID()}`,
      object: "chat.completion",
      created: Math.floor(Date.now() / 1000),
      model: captionerModel,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: answer.text },
          logprobs: null,
          finish_reason: answer.cut ? "length" : "stop",
        },
      ],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      },
    },
  };
}

function errorType(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

function unreadable(error: Error, index: number): HttpProblem {
  return new HttpProblem(400, "unreadable_image", `Image ${index + 1}: ${error.message}`, "messages");
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
  const server = await startCaptioner({ port: Number(values.port) });
  closeOnSignal(server);
  console.log(JSON.stringify({ listening: server.url }));
}
