/** One HTTP API on 127.0.0.1: authorises, routes and invokes, as API Gateway v2 does. Created by its resource. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { closeServer, listen, readBody } from "../http-server.ts";
import type { FunctionPool } from "../lambda/function-pool.ts";
import { refusalMessage } from "../taps.ts";
import { type ApiAnswer, type ApiRequest, apiAnswer, apiEvent, errorAnswer } from "./event.ts";
import { matchRoute, type RoutePattern } from "./route.ts";
import { verifySignature } from "./signature.ts";

export interface ApiRoute extends RoutePattern {
  readonly requiresSignature: boolean;
  readonly pool: FunctionPool;
}

export interface HttpApi {
  readonly id: string;
  readonly url: string;
  addRoute(route: ApiRoute): void;
  close(): Promise<void>;
}

export async function startHttpApi(options: {
  readonly id: string;
  readonly port?: number | undefined;
  readonly region: string;
  readonly secretAccessKey: string;
  /** Whether a signed caller may invoke this API; `false` answers 403. */
  readonly mayInvoke: (accessKeyId: string, method: string, path: string) => boolean;
  readonly log: (line: string) => void;
}): Promise<HttpApi> {
  const routes: ApiRoute[] = [];

  const answer = async (incoming: IncomingMessage): Promise<ApiAnswer> => {
    const request = await readRequest(incoming);
    if (!isWellFormed(request.path)) return errorAnswer(400, "Bad Request");
    const match = matchRoute(routes, request.method, request.path);
    if (match === undefined) return errorAnswer(404, "Not Found");
    let accessKeyId: string | undefined;
    if (match.route.requiresSignature) {
      accessKeyId = await verifySignature(
        request,
        options.secretAccessKey,
        options.region,
        request.time.getTime(),
      );
      if (accessKeyId === undefined || !options.mayInvoke(accessKeyId, request.method, request.path))
        return errorAnswer(403, "Forbidden");
    }
    const event = apiEvent(request, {
      apiId: options.id,
      domainName: request.headers.host ?? "",
      requestId: randomUUID(),
      routeKey: match.route.routeKey,
      pathParameters: match.pathParameters,
      accessKeyId,
    });
    const outcome = await match.route.pool.invoke(JSON.stringify(event));
    return outcome.kind === "result"
      ? apiAnswer(JSON.parse(outcome.payload))
      : errorAnswer(500, "Internal Server Error");
  };

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => {
        options.log(`HTTP API ${options.id}: ${refusalMessage(error)}`);
        return errorAnswer(500, "Internal Server Error");
      })
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
  });
  const url = await listen(server, options.port);
  return {
    id: options.id,
    url,
    addRoute: (route) => void routes.push(route),
    close: () => closeServer(server),
  };
}

function isWellFormed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const [path = "/", query = ""] = (incoming.url ?? "/").split(/\?(.*)/s);
  return {
    method: incoming.method ?? "GET",
    path,
    query,
    headers: incoming.headers,
    body: await readBody(incoming),
    sourceIp: incoming.socket.remoteAddress ?? "127.0.0.1",
    time: new Date(),
  };
}
