/** The SageMaker runtime API on 127.0.0.1: forwards calls, streamed ones too, to a model container. Started by the stack. */
import { createServer, type IncomingMessage } from "node:http";
import { closeServer, listen, readBody } from "../http-server.ts";
import type { ServiceCall } from "../tap.ts";
import { callerOf, type JoinedTap, refusalMessage } from "../taps.ts";
import { payloadPart } from "./event-stream.ts";

export interface SageMakerService {
  readonly url: string;
  /** Routes an endpoint's name to the base URL of a container that answers `/invocations`. */
  addEndpoint(name: string, containerUrl: string): void;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const payloadLimit = 6 * 1024 * 1024;
/** Real-time inference gives a container sixty seconds. */
const responseLimitMs = 60_000;

export async function startSageMaker(options: {
  readonly port?: number | undefined;
  readonly tap: JoinedTap;
  readonly log: (line: string) => void;
}): Promise<SageMakerService> {
  const containers = new Map<string, string>();

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const [, name, stream] =
      request.url?.match(/^\/endpoints\/([^/]+)\/invocations(-response-stream)?$/) ?? [];
    if (request.method !== "POST" || name === undefined) {
      options.log(
        `SageMaker runtime: ${request.method} ${request.url} is not simulated, only invocations are`,
      );
      return failure(501, "UnknownOperationException", "only invocations of endpoints are simulated");
    }
    const body = await readBody(request);
    const call: ServiceCall = {
      service: "sagemaker",
      operation: stream ? "InvokeEndpointWithResponseStream" : "InvokeEndpoint",
      resource: name,
      caller: callerOf(request.headers.authorization),
      requestBytes: body.length,
    };
    try {
      await options.tap.before(call);
    } catch (refusal) {
      return failure(403, "AccessDeniedException", refusalMessage(refusal));
    }
    const container = containers.get(name);
    let reply =
      container === undefined
        ? failure(400, "ValidationError", `Endpoint ${name} of account 000000000000 not found.`)
        : body.length > payloadLimit
          ? failure(
              400,
              "ValidationError",
              `the payload of ${body.length} bytes exceeds the limit of ${payloadLimit}`,
            )
          : await forward(container, request, body);
    if (stream && reply.status === 200) reply = asEvents(reply);
    await options.tap.after(call, { status: reply.status, responseBytes: reply.body.length });
    return reply;
  };

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => failure(500, "InternalFailure", refusalMessage(error)))
      .then((reply) => response.writeHead(reply.status, { ...reply.headers }).end(reply.body));
  });
  const url = await listen(server, options.port);
  return {
    url,
    addEndpoint: (name, containerUrl) => void containers.set(name, containerUrl),
    close: () => closeServer(server),
  };
}

/** The container's answer in two events, as if the second half had come later. */
function asEvents({ status, headers, body }: Reply): Reply {
  const half = Math.ceil(body.length / 2);
  return {
    status,
    headers: { ...headers, "content-type": "application/vnd.amazon.eventstream" },
    body: Buffer.concat([payloadPart(body.subarray(0, half)), payloadPart(body.subarray(half))]),
  };
}

async function forward(container: string, request: IncomingMessage, body: Buffer): Promise<Reply> {
  let response: Response;
  let content: Buffer;
  try {
    response = await fetch(`${container}/invocations`, {
      method: "POST",
      headers: {
        "content-type": request.headers["content-type"] ?? "application/octet-stream",
        ...(request.headers.accept === undefined ? {} : { accept: request.headers.accept }),
      },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(responseLimitMs),
    });
    content = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    return modelError(500, `the container did not answer: ${refusalMessage(error)}`);
  }
  if (!response.ok) return modelError(response.status, content.toString());
  return {
    status: 200,
    headers: {
      "content-type": response.headers.get("content-type") ?? "application/octet-stream",
      "x-amzn-invoked-production-variant": "AllTraffic",
    },
    body: content,
  };
}

function modelError(originalStatus: number, message: string): Reply {
  return failure(
    424,
    "ModelError",
    `Received server error (${originalStatus}) from primary with message "${message}"`,
    { OriginalStatusCode: originalStatus, OriginalMessage: message },
  );
}

function failure(
  status: number,
  type: string,
  message: string,
  details: Record<string, unknown> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json", "x-amzn-errortype": type },
    body: Buffer.from(JSON.stringify({ Message: message, message, ...details })),
  };
}
