/** How the SDK sends the requests of services that speak JSON (DynamoDB, SQS): whole bodies, both ways. Used by clients.ts. */
import { exchange, keptConnections, type Reply } from "./http-exchange.ts";

/** What the SDK asks to be sent, as far as these services use it. */
interface SdkRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Limits {
  readonly connectMs: number;
  /** Until the whole reply has been read. */
  readonly requestMs: number;
}

/** By this name and no other the SDK knows that the network is to blame, and tries again. */
const networkFault = "TimeoutError";
const networkCodes: readonly string[] = ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT"];

/** An SDK `requestHandler`. Streams, queries and event streams have no place in these protocols and are not sent. */
export const jsonRequestHandler = ({ connectMs, requestMs }: Limits) => {
  const connections = keptConnections();
  return {
    metadata: { handlerProtocol: "http/1.1" },
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { protocol, hostname: host, port, method, path, headers } = request;
      const secure = protocol === "https:";
      const body = wholeBody(request.body);
      try {
        const reply = await exchange({
          ...{ secure, host, port, method, path, headers, body },
          ...{ connections, connectMs, totalMs: requestMs, signal: abortSignal },
        });
        return { response: sdkResponse(reply) };
      } catch (error) {
        throw named(error);
      }
    },
    httpHandlerConfigs: () => ({}),
    updateHttpClientConfig: () => {},
    destroy() {
      connections.plain.destroy();
      connections.secure.destroy();
    },
  };
};

const wholeBody = (body: unknown): string | Uint8Array | undefined => {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) return body;
  throw new Error("this client sends no streams; make it with the SDK's own request handler");
};

const sdkResponse = ({ status, headers, body }: Reply) => ({
  statusCode: status,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  ),
  body,
});

const named = (error: unknown): unknown => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return networkCodes.includes(code) ? Object.assign(Object(error), { name: networkFault }) : error;
};
