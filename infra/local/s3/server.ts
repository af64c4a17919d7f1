/** The embedded S3: HTTP in front, operations behind, the tap around each call. Started by the local runner. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceCall, Tap } from "../tap.ts";
import { Catalog } from "./catalog.ts";
import { announceLeft } from "./notification-operations.ts";
import type { Deliver, S3Context } from "./operation.ts";
import { discardReply, errorReply, type Reply, replyBytes, sendReply } from "./reply.ts";
import { declaredBytes, parseRequest, refuseExpired, type S3Request } from "./request.ts";
import { findRoute, type Route } from "./routes.ts";
import { S3Error } from "./s3-error.ts";
import { refuseUnknownHeaders, unsupportedOperation } from "./unsupported.ts";

export interface S3Options {
  /** Where buckets live; without one a temporary directory that goes away on close. */
  readonly directory?: string;
  readonly port?: number;
  readonly region: string;
  /** Puts an event on a queue; see `announce` for when. */
  readonly deliver: Deliver;
  readonly tap?: Tap;
}

export interface S3Server {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const host = "127.0.0.1";
/** Longer than any client keeps an idle connection, so that no request meets a closing one. */
const keepAliveMs = 120_000;

/** Starts the server on the loopback interface. Clients must use path-style addresses. */
export async function startS3(options: S3Options): Promise<S3Server> {
  const temporary =
    options.directory === undefined ? mkdtempSync(join(tmpdir(), "touchstone-s3-")) : undefined;
  const catalog = new Catalog(options.directory ?? temporary ?? "");
  const context: S3Context = { catalog, region: options.region, deliver: options.deliver };
  await announceLeft(context);
  const server = createServer((incoming, response) => {
    // What `answer` cannot put into a reply would otherwise end the whole process.
    answer(context, options.tap, incoming, response).catch((error: Error) => response.destroy(error));
  });
  // Uploads take as long as they take.
  server.requestTimeout = 0;
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://${host}:${port}`,
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    },
  };
}

async function answer(
  context: S3Context,
  tap: Tap | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomBytes(8).toString("hex").toUpperCase();
  response.setHeader("x-amz-request-id", requestId);
  let reply: Reply;
  try {
    const request = parseRequest(incoming, requestId);
    const route = findRoute(request, "known parameters only");
    if (route === undefined) throw unsupportedOperation(request);
    reply = await tapped(context, tap, request, route);
  } catch (error) {
    reply = errorReply(error, incoming.url ?? "/", requestId);
  }
  await sendReply(response, reply, incoming.method ?? "GET");
}

/** Runs one operation between the tap's hooks; its own errors are replies too, so that `after` sees them. */
async function tapped(
  context: S3Context,
  tap: Tap | undefined,
  request: S3Request,
  route: Route,
): Promise<Reply> {
  const resource = [request.bucket, request.key].filter(Boolean).join("/");
  const call: ServiceCall = {
    service: "s3",
    operation: route.name,
    resource,
    caller: request.caller,
    requestBytes: declaredBytes(request),
  };
  try {
    await tap?.before?.(call);
  } catch (error) {
    throw new S3Error("AccessDenied", error instanceof Error ? error.message : String(error));
  }
  const reply = await run(context, request, route, resource);
  try {
    await tap?.after?.(call, { status: reply.status, responseBytes: replyBytes(reply, request) });
  } catch (error) {
    discardReply(reply);
    throw error;
  }
  return reply;
}

async function run(context: S3Context, request: S3Request, route: Route, resource: string): Promise<Reply> {
  try {
    refuseExpired(request, Date.now());
    refuseUnknownHeaders(request, route.name);
    return await route.run(context, request);
  } catch (error) {
    return errorReply(error, resource, request.requestId);
  }
}
