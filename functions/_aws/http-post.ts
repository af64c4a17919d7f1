/** One HTTP POST over a connection that is kept; the chat model makes its calls so, since `fetch` costs thrice the CPU. */
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { Agent as HttpsAgent, request as secureRequest } from "node:https";

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/** Servers close what is idle for five seconds or more; whoever closes first meets no reset. */
const idleMs = 4_000;
const kept = { keepAlive: true, maxSockets: 256, timeout: idleMs };
const agents = { plain: new HttpAgent(kept), secure: new HttpsAgent(kept) };

const tooLarge = "ReplyTooLargeError";

/** Whether a call was given up since its reply had more than `maxBytes`. */
export const isReplyTooLarge = (error: unknown): boolean => error instanceof Error && error.name === tooLarge;

/** Redirects are replies like others. Rejects with Node's own error, with its `code`, where no whole reply came. */
export const httpPost = ({ url, headers, body, signal, maxBytes }: HttpPost): Promise<HttpReply> =>
  new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const length = Buffer.byteLength(body);
    const sending = (secure ? secureRequest : request)(url, {
      method: "POST",
      agent: secure ? agents.secure : agents.plain,
      headers: { ...headers, "content-length": length },
      signal,
    });
    sending.once("error", reject);
    sending.once("response", (reply) => {
      readText(reply, maxBytes, resolve, reject);
    });
    sending.end(body);
  });

function readText(
  reply: IncomingMessage,
  maxBytes: number,
  resolve: (reply: HttpReply) => void,
  reject: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  reply.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxBytes)
      reply.destroy(Object.assign(new Error(`the reply has over ${maxBytes} bytes`), { name: tooLarge }));
  });
  reply.once("error", reject);
  reply.once("end", () => {
    const body = (chunks.length === 1 ? chunks[0] : undefined) ?? Buffer.concat(chunks);
    resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: body.toString("utf8") });
  });
}
