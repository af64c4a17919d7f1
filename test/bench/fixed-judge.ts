/**
 * A judge that takes a fixed time and answers as vLLM would, alternatives and all; benches run it as a process of its
 * own: `node fixed-judge.ts --latency MS --concurrency N`. Calls beyond N wait at its door, as at a full GPU.
 */
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { listen, readBody } from "../../infra/local/http-server.ts";
import { unsureMark } from "./bench-task.ts";

const { values } = parseArgs({
  options: {
    latency: { type: "string", default: "50" },
    concurrency: { type: "string", default: "50" },
    /** Alternatives per token, as many as the bench's template asks for. */
    alternatives: { type: "string", default: "5" },
    explanation: { type: "string", default: "The output greets the reader as the standard asks" },
  },
});
const latencyMs = Number(values.latency);
const most = Number(values.concurrency);
const alternatives = Number(values.alternatives);

const token = (text: string, logprob: number) => ({
  token: text,
  logprob,
  bytes: [...Buffer.from(text)],
});

const fillers = (text: string, count: number) =>
  Array.from({ length: count }, (_, index) => token(`${text.slice(0, 6)}${index}`, -9 - index));

const answerText = `{"explanation": ${JSON.stringify(values.explanation)}, "evidence": ["hello"], "fields": {"ok": "`;

/** A completion whose one code has the probability `share`; every other token is certain. */
function completion(share: number): Buffer {
  const [yes, no] = [Math.log(share), Math.log(1 - share)];
  const plain = (text: string) => ({
    ...token(text, 0),
    top_logprobs: [token(text, 0), ...fillers(text, alternatives - 1)],
  });
  const content = [
    ...(answerText.match(/\s?\w+|[^\w\s]|\s/g) ?? []).map(plain),
    {
      ...token("Y", yes),
      top_logprobs: [token("Y", yes), token("N", no), ...fillers("Y", alternatives - 2)],
    },
    ...['"', "}", "}"].map(plain),
  ];
  return Buffer.from(
    JSON.stringify({
      id: "fixed",
      object: "chat.completion",
      created: 0,
      model: "fixed-judge",
      choices: [
        {
          index: 0,
          finish_reason: "stop",
          message: { role: "assistant", content: `${answerText}Y"}}` },
          logprobs: { content },
        },
      ],
      usage: { prompt_tokens: 400, completion_tokens: content.length, total_tokens: 400 + content.length },
    }),
  );
}

const sure = completion(0.99);
const unsure = completion(0.6);
let calls = 0;
let inFlight = 0;
let mostInFlight = 0;
const door: Array<() => void> = [];

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify({ calls, mostInFlight }));
    calls = 0;
    mostInFlight = 0;
    return;
  }
  const body = await readBody(request);
  if (inFlight >= most) await new Promise<void>((resolve) => door.push(resolve));
  else inFlight++;
  calls++;
  mostInFlight = Math.max(mostInFlight, inFlight);
  await setTimeout(latencyMs);
  // The slot goes to the next in line, if there is one.
  const next = door.shift();
  if (next) next();
  else inFlight--;
  const answer = body.includes(unsureMark) ? unsure : sure;
  response
    .writeHead(200, { "content-type": "application/json", "content-length": answer.length })
    .end(answer);
});

console.log(JSON.stringify({ listening: await listen(server) }));
// Whoever started it holds the other end of stdin; when that one is gone, so is the judge.
process.stdin.on("end", () => process.exit()).resume();
