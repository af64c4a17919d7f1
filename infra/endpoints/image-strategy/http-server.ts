/** The small HTTP server under the model servers: routes, size limit, errors as JSON, orderly end. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Media type in lower case without parameters; empty when the header is missing. */
  readonly contentType: string;
  readonly body: Buffer;
}

export interface HttpReply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body: unknown;
}

/** A request that cannot be served; told apart from program faults by `kind`. */
export class HttpProblem extends Error {
  readonly kind = "http-problem";
  readonly status: number;
  /** Short machine-readable reason, e.g. `unreadable_image`. */
  readonly code: string;
  /** The field at fault, when there is one. */
  readonly param: string | null;

  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly maxBodyBytes: number;
  /** Keyed by method and path, e.g. `GET /ping`. */
  readonly routes: Readonly<Record<string, (request: HttpRequest) => HttpReply | Promise<HttpReply>>>;
  /** The JSON body that this server's protocol gives to an error. */
  readonly errorBody: (problem: HttpProblem) => unknown;
}

export interface RunningServer {
  readonly url: string;
  /** Stops accepting, lets running requests end, then resolves. */
  close(): Promise<void>;
}

/** Starts listening; rejects when the port cannot be bound. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const server = createServer((request, response) => void answer(options, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no TCP address");
  return {
    url: `http://${options.host}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
      }),
  };
}

/** Ends the process on SIGTERM or SIGINT once the running requests are answered and `release` is done. */
export function closeOnSignal(server: RunningServer): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

async function answer(options: HttpServerOptions, request: IncomingMessage, response: ServerResponse) {
  const reply = await handle(options, request);
  const body = JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    // A body that was refused before its end leaves unread bytes on the connection.
    ...(request.complete ? {} : { connection: "close" }),
  });
  response.end(body);
}

async function handle(options: HttpServerOptions, request: IncomingMessage): Promise<HttpReply> {
  try {
    const method = request.method ?? "GET";
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const route = options.routes[`${method} ${path}`];
    if (!route) throw unknownRoute(options, method, path);
    const contentType = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    const body = await readBody(request, options.maxBodyBytes);
    return await route({ method, path, contentType, body });
  } catch (error) {
    const problem = isHttpProblem(error) ? error : fault(error);
    return { status: problem.status, body: options.errorBody(problem) };
  }
}

function unknownRoute(options: HttpServerOptions, method: string, path: string): HttpProblem {
  const known = Object.keys(options.routes);
  const status = known.some((route) => route.endsWith(` ${path}`)) ? 405 : 404;
  return new HttpProblem(status, "unknown_route", `${method} ${path} is not served; try ${known.join(", ")}`);
}

function fault(error: unknown): HttpProblem {
  console.error(error);
  return new HttpProblem(500, "server_fault", error instanceof Error ? error.message : String(error));
}

/** True for problems thrown by any copy of this module. */
export function isHttpProblem(error: unknown): error is HttpProblem {
  return error instanceof Error && "kind" in error && error.kind === "http-problem";
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: unknown = chunk;
    if (!Buffer.isBuffer(bytes)) throw new Error("The request stream gave text instead of bytes");
    size += bytes.length;
    // The rest is read and dropped: a client that is still sending would not see the answer.
    if (size <= maxBytes) chunks.push(bytes);
  }
  if (size > maxBytes) {
    throw new HttpProblem(413, "too_large", `The body has ${size} bytes, over the limit of ${maxBytes}`);
  }
  return Buffer.concat(chunks);
}
