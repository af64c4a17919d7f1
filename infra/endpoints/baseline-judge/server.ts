/**
 * The baseline judge: an OpenAI-compatible server that weighs words and rules. `node server.ts --port N
 * [--latency-ms L]` prints one line `{"listening": url}` when it is ready. It says in its name that it is no model.
 */
import { parseArgs } from "node:util";
import {
  closeOnSignal,
  HttpProblem,
  type HttpReply,
  type RunningServer,
  startHttpServer,
} from "../image-strategy/http-server.ts";
import { answerCriteria } from "./answer-criteria.ts";
import { answerFields, createFeaturer, type Featurer } from "./answer-fields.ts";
import { baselineModel, completionOf, readCall } from "./chat-protocol.ts";
import { explain } from "./explain.ts";
import { readPrompt } from "./read-prompt.ts";
import { writeAnswer } from "./write-answer.ts";

const maxBodyBytes = 48 * 1024 * 1024;
/** Samples whose features are kept for the next request. */
const keptSamples = 4_000;

export interface BaselineJudgeOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host?: string;
  /** Waits this long before each answer, to stand in for a slower model in load tests. */
  readonly latencyMs?: number;
}

/** Listens on `host` (default 127.0.0.1). */
export function startBaselineJudge(options: BaselineJudgeOptions): Promise<RunningServer> {
  const featurer = createFeaturer(keptSamples);
  return startHttpServer({
    host: options.host ?? "127.0.0.1",
    port: options.port,
    maxBodyBytes,
    errorBody: (problem) => ({
      error: {
        message: problem.message,
        type: problem.status < 500 ? "invalid_request_error" : "server_error",
        param: problem.param,
        code: problem.code,
      },
    }),
    routes: {
      "GET /health": () => ({ status: 200, body: { status: "ok", model: baselineModel } }),
      "GET /v1/models": () => ({
        status: 200,
        body: { object: "list", data: [{ id: baselineModel, object: "model", owned_by: "touchstone" }] },
      }),
      "POST /v1/chat/completions": async ({ body }) => {
        if (options.latencyMs) await new Promise((resolve) => setTimeout(resolve, options.latencyMs));
        return complete(body, featurer);
      },
    },
  });
}

function complete(body: Buffer, featurer: Featurer): HttpReply {
  const call = readCall(body);
  const prompt = readPrompt(call.system, call.user);
  if (!prompt) {
    throw new HttpProblem(
      400,
      "unreadable_prompt",
      "This baseline reads only Touchstone's judging prompts: a system turn with <standard> and <fields>, and a user turn with a fenced sample",
      "messages",
    );
  }
  const answers = answerFields(prompt, featurer);
  const tokens = writeAnswer(explain(prompt, answers), answers, answerCriteria(prompt));
  return { status: 200, body: completionOf(call, tokens, Date.now()) };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "0" }, "latency-ms": { type: "string", default: "0" } },
  });
  const server = await startBaselineJudge({
    port: Number(values.port),
    latencyMs: Number(values["latency-ms"]),
  });
  closeOnSignal(server);
  console.log(JSON.stringify({ listening: server.url }));
}
