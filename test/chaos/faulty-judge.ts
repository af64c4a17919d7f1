/** A judge server that answers, throttles, errs and falls silent as the plan says, and remembers every call it got. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { bodyOf, completion, sampleIn } from "../e2e/scripted-judge.ts";
import { type ChaosPlan, type JudgeFault, latencyOf } from "./plan.ts";

/** `answered`: all of a good answer was sent; `faulted`: failed on purpose; `died`: the caller went away before. */
export const callEnds = ["answered", "faulted", "died"] as const;
export type CallEnd = (typeof callEnds)[number];

/** Times are those of `performance.now()`. */
export interface JudgeCall {
  readonly sample: string;
  readonly receivedAt: number;
  readonly fault: JudgeFault | null;
  endedAt: number;
  /** Null while the call is under way. */
  end: CallEnd | null;
  /** When its connection was closed, if it was the last call on it: to a caller that is dead already all can be sent. */
  goneAt: number;
}

export interface FaultyJudge {
  readonly url: string;
  readonly calls: readonly JudgeCall[];
  /** Bodies of requests about nothing that should be judged. */
  readonly strange: readonly string[];
  close(): Promise<void>;
}

export const startFaultyJudge = async (
  plan: ChaosPlan,
  hooks: {
    readonly onCall: (call: JudgeCall) => void;
    /** Whether SWEEP has sent samples again by now. */
    readonly hasSwept: () => boolean;
  },
): Promise<FaultyJudge> => {
  const calls: JudgeCall[] = [];
  const seen = new Map<string, number>();
  const judged = new Set(plan.lines.map(({ sample }) => sample));
  const strange: string[] = [];
  const lastOn = new WeakMap<Socket, JudgeCall>();
  const server = createServer(async (request, response) => {
    // Whoever is killed while it is still asking has not asked.
    const body = await bodyOf(request).catch(() => null);
    if (body === null) return;
    const { id: sample, text } = sampleIn(body);
    if (!judged.has(sample)) strange.push(body);
    const turn = seen.get(sample) ?? 0;
    seen.set(sample, turn + 1);
    const planned = plan.faults.get(sample)?.[turn] ?? null;
    const fault = planned === "throttle-until-swept" && hooks.hasSwept() ? null : planned;
    const call: JudgeCall = {
      sample,
      receivedAt: performance.now(),
      fault,
      endedAt: 0,
      end: null,
      goneAt: Number.POSITIVE_INFINITY,
    };
    calls.push(call);
    lastOn.set(request.socket, call);
    const end = (): void => {
      call.endedAt = performance.now();
      if (fault !== null) call.end = "faulted";
      else call.end = response.writableFinished ? "answered" : "died";
    };
    if (response.closed) return end();
    response.once("close", end);
    hooks.onCall(call);
    await setTimeout(latencyOf(plan, sample));
    if (response.destroyed) return;
    if (fault === null) answerJson(response, 200, completion(text));
    else misbehave(fault, request, response);
  });
  server.on("connection", (socket: Socket) => {
    socket.once("close", () => {
      const last = lastOn.get(socket);
      if (last) last.goneAt = performance.now();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    strange,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const answerJson = (
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};

const busy = { error: { message: "too many requests" } };

const misbehave = (fault: JudgeFault, request: IncomingMessage, response: ServerResponse): void => {
  switch (fault) {
    case "throttle":
      answerJson(response, 429, busy);
      break;
    case "throttle-asking":
    case "throttle-until-swept":
      answerJson(response, 429, busy, { "retry-after": "1" });
      break;
    case "silence":
      // Held open until the caller has had enough.
      break;
    case "error":
      answerJson(response, 500, { error: { message: "out of order" } });
      break;
    case "web-page":
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html><body>Welcome to the captive portal</body></html>");
      break;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write('{"id": "cut", "choices": [');
      request.socket.destroy();
      break;
    case "nonsense":
      answerJson(response, 200, completion("(garbage)"));
      break;
    default:
      fault satisfies never;
  }
};
