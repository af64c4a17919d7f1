import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import { CfnOutput, type Stack } from "aws-cdk-lib";
import * as gateway from "aws-cdk-lib/aws-apigatewayv2";
import { HttpIamAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matchRoute, parseRouteKey } from "../../infra/local/http-api/route.ts";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import { inlineFunction, synthesise } from "./fixture/synthesise.ts";

describe("route selection", () => {
  const routes = [
    "GET /tasks",
    "ANY /tasks/{id}",
    "GET /tasks/{id}",
    "GET /tasks/mine",
    "GET /{proxy+}",
    "$default",
  ].map(parseRouteKey);
  const cases: Array<[string, string, string, Record<string, string> | undefined]> = [
    ["GET", "/tasks", "GET /tasks", undefined],
    ["GET", "/tasks/mine", "GET /tasks/mine", undefined],
    ["GET", "/tasks/a%20b", "GET /tasks/{id}", { id: "a b" }],
    ["PUT", "/tasks/7", "ANY /tasks/{id}", { id: "7" }],
    ["GET", "/x/y", "GET /{proxy+}", { proxy: "x/y" }],
    ["POST", "/x/y", "$default", undefined],
  ];
  test.each(cases)("%s %s is served by %s", (method, path, routeKey, pathParameters) => {
    const match = matchRoute(routes, method, path);
    expect(match?.route.routeKey).toBe(routeKey);
    expect(match?.pathParameters).toEqual(pathParameters);
  });
  test("no route fits", () => expect(matchRoute(routes.slice(0, 1), "GET", "/other")).toBeUndefined());
});

const echo = `
export const handler = async (event) => {
  if (event.rawPath === "/plain") return { hello: "world" };
  if (event.rawPath === "/fail") throw new Error("no");
  return {
    statusCode: 201,
    headers: { "X-Kind": "echo", "content-type": "application/json" },
    cookies: ["a=1", "b=2"],
    body: JSON.stringify(event),
  };
};`;

let stack: EmbeddedStack;
let url: string;

function build(target: Stack): void {
  const integration = new HttpLambdaIntegration("Echo", inlineFunction(target, "EchoFunction", echo));
  const api = new gateway.HttpApi(target, "Api", { defaultAuthorizer: new HttpIamAuthorizer() });
  api.addRoutes({ path: "/{proxy+}", integration });
  api.addRoutes({
    path: "/open/{what}",
    methods: [gateway.HttpMethod.GET],
    integration,
    authorizer: new gateway.HttpNoneAuthorizer(),
  });
  new CfnOutput(target, "ApiUrl", { value: api.url ?? "" });
}

beforeAll(async () => {
  stack = await startStack({ assembly: synthesise("Web", build) });
  url = (stack.outputs.Web?.ApiUrl ?? "").replace(/\/$/, "");
});
afterAll(async () => await stack?.stop());

async function signedFetch(
  method: string,
  path: string,
  options: { secret?: string; accessKeyId?: string; body?: string; tamper?: string; when?: Date } = {},
) {
  const target = new URL(url + path);
  const signer = new SignatureV4({
    service: "execute-api",
    region: stack.region,
    credentials: {
      accessKeyId: options.accessKeyId ?? stack.credentials.accessKeyId,
      secretAccessKey: options.secret ?? stack.credentials.secretAccessKey,
    },
    sha256: Sha256,
  });
  const signed = await signer.sign(
    {
      method,
      protocol: "http:",
      hostname: target.hostname,
      path: target.pathname,
      query: Object.fromEntries(target.searchParams),
      headers: { host: target.host, "content-type": "application/json" },
      ...(options.body === undefined ? {} : { body: options.body }),
    },
    { signingDate: options.when ?? new Date() },
  );
  return await fetch(target, {
    method,
    headers: signed.headers,
    ...(options.body === undefined ? {} : { body: options.tamper ?? options.body }),
  });
}

describe("an IAM-authorised HTTP API", () => {
  test("refuses a request without a signature", async () => {
    const answer = await fetch(`${url}/tasks`);
    expect([answer.status, await answer.json()]).toEqual([403, { message: "Forbidden" }]);
  });

  test("hands a signed request to the function in payload format 2.0", async () => {
    const answer = await signedFetch("POST", "/tasks/a%20b?x=1&y=%E6%96%87", {
      body: '{"n":1}',
      accessKeyId: "amy",
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-kind")).toBe("echo");
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await answer.json()).toMatchObject({
      version: "2.0",
      routeKey: "ANY /{proxy+}",
      rawPath: "/tasks/a b",
      rawQueryString: "x=1&y=%E6%96%87",
      queryStringParameters: { x: "1", y: "文" },
      pathParameters: { proxy: "tasks/a b" },
      headers: { "content-type": "application/json" },
      requestContext: {
        authorizer: { iam: { accessKey: "amy", userArn: "arn:aws:iam::000000000000:user/amy" } },
        http: { method: "POST", path: "/tasks/a b" },
        stage: "$default",
      },
      body: '{"n":1}',
      isBase64Encoded: false,
    });
  });

  const forged: Array<[string, Parameters<typeof signedFetch>[2]]> = [
    ["another secret", { secret: "guessed" }],
    ["a body that was changed after signing", { body: "{}", tamper: "[]" }],
    ["a signature from an hour ago", { when: new Date(Date.now() - 3_600_000) }],
    ["a function whose role may not invoke the API", { accessKeyId: "EchoFunction" }],
  ];
  test.each(forged)("refuses %s", async (_, options) => {
    const accessKeyId = stack.functions().find(({ id }) => id.startsWith(options?.accessKeyId ?? "?"))?.id;
    const answer = await signedFetch("POST", "/tasks", {
      ...options,
      ...(accessKeyId ? { accessKeyId } : {}),
    });
    expect(answer.status).toBe(403);
  });

  test("answers with the bare result when it has no status, and 500 when the function fails", async () => {
    const plain = await signedFetch("GET", "/plain");
    expect([plain.status, await plain.json()]).toEqual([200, { hello: "world" }]);
    const failed = await signedFetch("GET", "/fail");
    expect([failed.status, await failed.json()]).toEqual([500, { message: "Internal Server Error" }]);
  });

  test("a route without authoriser is open", async () => {
    const answer = await fetch(`${url}/open/door`, { headers: { cookie: "s=1; t=2" } });
    expect(await answer.json()).toMatchObject({ cookies: ["s=1", "t=2"], pathParameters: { what: "door" } });
  });
});
