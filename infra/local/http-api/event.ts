/** API Gateway's payload format 2.0: the event made from a request, and the answer made from a function's result. Pure. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import * as z from "zod";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly time: Date;
}

export interface RouteContext {
  readonly apiId: string;
  readonly domainName: string;
  readonly requestId: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
  /** Access key id of a verified signature. */
  readonly accessKeyId: string | undefined;
}

/** The event a function receives. Cookies travel in `cookies` and no longer in the headers. */
export function apiEvent(request: ApiRequest, route: RouteContext): object {
  const { cookie, ...headers } = request.headers;
  const isText = textual.test(request.headers["content-type"] ?? "text/plain");
  const parameters = queryParameters(request.query);
  return {
    version: "2.0",
    routeKey: route.routeKey,
    rawPath: decodeURI(request.path),
    rawQueryString: request.query,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/; */) }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(parameters === undefined ? {} : { queryStringParameters: parameters }),
    ...(route.pathParameters === undefined ? {} : { pathParameters: route.pathParameters }),
    requestContext: {
      accountId: "000000000000",
      apiId: route.apiId,
      ...(route.accessKeyId === undefined ? {} : { authorizer: { iam: identity(route.accessKeyId) } }),
      domainName: route.domainName,
      domainPrefix: route.apiId,
      http: {
        method: request.method,
        path: decodeURI(request.path),
        protocol: "HTTP/1.1",
        sourceIp: request.sourceIp,
        userAgent: request.headers["user-agent"] ?? "",
      },
      requestId: route.requestId,
      routeKey: route.routeKey,
      stage: "$default",
      time: commonLogTime(request.time),
      timeEpoch: request.time.getTime(),
    },
    ...(request.body.length === 0 ? {} : { body: request.body.toString(isText ? "utf8" : "base64") }),
    isBase64Encoded: request.body.length > 0 && !isText,
  };
}

const textual = /^(text\/|application\/(json|javascript|xml)\b|application\/[^;]*\+(json|xml)\b)/;

function identity(accessKeyId: string): object {
  const userArn = `arn:aws:iam::000000000000:user/${accessKeyId}`;
  return {
    accessKey: accessKeyId,
    accountId: "000000000000",
    callerId: accessKeyId,
    cognitoIdentity: null,
    principalOrgId: null,
    userArn,
    userId: accessKeyId,
  };
}

/** Repeated parameters are joined by commas. */
function queryParameters(query: string): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query))
    values[name] = values[name] === undefined ? value : `${values[name]},${value}`;
  return Object.keys(values).length > 0 ? values : undefined;
}

/** `12/Mar/2020:19:03:58 +0000` */
function commonLogTime(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().match(/(\d\d) (\w{3}) (\d{4}) ([\d:]+)/) ?? [];
  return `${day}/${month}/${year}:${clock} +0000`;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

const resultSchema = z.looseObject({
  statusCode: z.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(""),
  isBase64Encoded: z.boolean().default(false),
});

/** The HTTP answer for a function's result; a result without `statusCode` is itself the JSON body. */
export function apiAnswer(result: unknown): ApiAnswer {
  if (typeof result !== "object" || result === null || !("statusCode" in result))
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: typeof result === "string" ? result : JSON.stringify(result),
    };
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) return errorAnswer(500, "Internal Server Error");
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  return {
    status: statusCode,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      ...lower,
      ...(cookies.length === 0 ? {} : { "set-cookie": cookies }),
    },
    body: isBase64Encoded ? Buffer.from(body, "base64") : body,
  };
}

/** An answer that API Gateway gives by itself. */
export function errorAnswer(status: number, message: string): ApiAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify({ message }) };
}
