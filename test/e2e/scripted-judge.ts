/** A judge server on loopback that answers at once, counts its calls per sample, and is sure or unsure as the sample says. */
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";

/** What is answered to everybody, instead of a completion. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ScriptedJudge {
  readonly url: string;
  /** Calls by the marker `#<id>#` that stands in a sample's text; without those that were refused. */
  readonly calls: ReadonlyMap<string, number>;
  /** Milliseconds, by `performance.now()`, at which calls were refused. */
  readonly refusals: readonly number[];
  /** Calls beyond this many, counted from the first, are heard and not answered until it is raised. */
  answerUpTo(calls: number): void;
  /** From now on every call is refused, until `null` ends it. */
  refuse(refusal: Refusal | null): void;
  close(): Promise<void>;
}

const marker = /#([\w-]+)#/;
/** What stands between the sample's own fences. */
const fenced = /<<(\w+) sample>>(.*?)<<\/\1 sample>>/s;

/** Words in a sample that change the answer, so that one batch shows every kind of end. */
const unsure = "(unsure)";
const garbage = "(garbage)";
const broken = "(broken)";

/** What a request is about: the text between the sample's fences, and the id marked in it. */
export const sampleIn = (request: string): { readonly id: string; readonly text: string } => {
  const text = fenced.exec(request)?.[2] ?? "";
  return { id: marker.exec(text)?.[1] ?? "?", text };
};

export const startScriptedJudge = async (
  options: { readonly latencyMs?: number } = {},
): Promise<ScriptedJudge> => {
  const calls = new Map<string, number>();
  const refusals: number[] = [];
  const raised = new EventEmitter().setMaxListeners(0);
  let heard = 0;
  let limit = Number.POSITIVE_INFINITY;
  let refusal: Refusal | null = null;
  const server = createServer(async (request, response) => {
    const { id, text: sample } = sampleIn(await bodyOf(request));
    if (refusal) {
      refusals.push(performance.now());
      response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers });
      response.end(JSON.stringify({ error: { message: "not now" } }));
      return;
    }
    calls.set(id, (calls.get(id) ?? 0) + 1);
    heard += 1;
    const place = heard;
    while (place > limit) await once(raised, "raised");
    if (options.latencyMs !== undefined) await setTimeout(options.latencyMs);
    const failing = sample.includes(broken);
    response.writeHead(failing ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(failing ? { error: { message: "out of order" } } : completion(sample)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    refusals,
    answerUpTo(count) {
      limit = count;
      raised.emit("raised");
    },
    refuse(next) {
      refusal = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** The chat completion that answers a sample's text. */
export const completion = (sample: string): object => {
  if (sample.includes(garbage)) {
    return envelope("I would rather talk about the weather.", null);
  }
  const sure = sample.includes(unsure) ? 0.6 : 0.99;
  const head = '{"explanation": "as scripted", "evidence": [], "fields": {"ok": "';
  const tail = '"}}';
  const plain = (token: string) => ({ token, logprob: 0, bytes: [...Buffer.from(token)], top_logprobs: [] });
  return envelope(`${head}Y${tail}`, [
    plain(head),
    {
      ...plain("Y"),
      logprob: Math.log(sure),
      top_logprobs: [
        { token: "Y", logprob: Math.log(sure), bytes: [89] },
        { token: "N", logprob: Math.log(1 - sure), bytes: [78] },
      ],
    },
    plain(tail),
  ]);
};

const envelope = (content: string, tokens: readonly object[] | null): object => ({
  id: "scripted",
  object: "chat.completion",
  model: "scripted-judge",
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content },
      logprobs: tokens === null ? null : { content: tokens },
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});
