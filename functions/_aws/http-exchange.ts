/**
 * One HTTP request and its whole reply over kept connections. The chat model and the AWS clients that speak JSON go
 * through it: `fetch` and the SDK's own handler cost three times the CPU, most of it for streams that nobody reads as such.
 */
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { Agent as HttpsAgent, request as secureRequest } from "node:https";
import type { Socket } from "node:net";

export interface Exchange {
  readonly secure: boolean;
  /** An IPv6 address may stand in brackets. */
  readonly host: string;
  readonly port?: number | string | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Uint8Array | undefined;
  readonly connections: Connections;
  readonly signal?: AbortSignal | undefined;
  /** Longest time until a new connection stands, and until the reply has been read. */
  readonly connectMs?: number | undefined;
  readonly totalMs?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Connections {
  readonly plain: HttpAgent;
  readonly secure: HttpsAgent;
}

/** `idleMs`: how long an unused connection is kept; without it until the server closes it. */
export const keptConnections = (idleMs?: number): Connections => {
  const kept = { keepAlive: true, maxSockets: 256, ...(idleMs === undefined ? {} : { timeout: idleMs }) };
  return { plain: new HttpAgent(kept), secure: new HttpsAgent(kept) };
};

const tooLarge = "ReplyTooLargeError";

/** Whether a call was given up since its reply had more than `maxBytes`. */
export const isReplyTooLarge = (error: unknown): boolean => error instanceof Error && error.name === tooLarge;

/**
 * Redirects are replies like others. Rejects with Node's own error, with its `code`, where no whole reply came; a call
 * that took too long has the code `ETIMEDOUT`.
 */
export const exchange = (call: Exchange): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sending = (call.secure ? secureRequest : request)({
      host: call.host.replace(/^\[|\]$/g, ""),
      port: call.port,
      method: call.method,
      path: call.path,
      headers: call.headers,
      agent: call.secure ? call.connections.secure : call.connections.plain,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    const giveUp = (what: string): void => {
      sending.destroy(Object.assign(new Error(`${call.host} ${what}`), { code: "ETIMEDOUT" }));
    };
    const limit = call.totalMs && setTimeout(giveUp, call.totalMs, `took over ${call.totalMs} ms`);
    const fail = (error: Error): void => {
      if (limit) clearTimeout(limit);
      reject(error);
    };
    const { connectMs } = call;
    if (connectMs !== undefined) {
      sending.once("socket", (socket) => limitConnecting(socket, connectMs, giveUp));
    }
    sending.once("error", fail);
    sending.once("response", (reply) => {
      readReply(reply, call.maxBytes ?? Number.POSITIVE_INFINITY, fail, (whole) => {
        if (limit) clearTimeout(limit);
        resolve(whole);
      });
    });
    sending.end(call.body);
  });

/** Most calls find a connection that stands, and need no timer. */
function limitConnecting(socket: Socket, limitMs: number, giveUp: (what: string) => void): void {
  if (!socket.connecting) return;
  const timer = setTimeout(giveUp, limitMs, `took over ${limitMs} ms to connect`);
  const stop = (): void => clearTimeout(timer);
  socket.once("connect", stop);
  socket.once("close", stop);
}

function readReply(
  reply: IncomingMessage,
  maxBytes: number,
  fail: (error: Error) => void,
  done: (reply: Reply) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  reply.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxBytes)
      reply.destroy(Object.assign(new Error(`the reply has over ${maxBytes} bytes`), { name: tooLarge }));
  });
  reply.once("error", fail);
  reply.once("end", () => {
    const body = (chunks.length === 1 ? chunks[0] : undefined) ?? Buffer.concat(chunks);
    done({ status: reply.statusCode ?? 0, headers: reply.headers, body });
  });
}
