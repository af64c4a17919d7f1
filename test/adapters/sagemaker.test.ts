/** How the SageMaker adapters read answers of every shape and tell failures apart by name. */
import { afterEach, describe, expect, test } from "vitest";
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { sageMakerChatModel } from "../../functions/_aws/sagemaker-chat-model.ts";
import { invokeError } from "../../functions/_aws/sagemaker-errors.ts";
import { sageMakerStrategyModel } from "../../functions/_aws/sagemaker-strategy-model.ts";
import { question } from "../contract/chat-model-contract.ts";
import { useTestCredentials } from "../contract/loopback.ts";
import { awsError, json, type Line, type ScriptedServer, serveScript } from "../contract/model-servers.ts";
import { choice, picture } from "../contract/strategy-model-contract.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const signal = new AbortController().signal;
const start = async (...script: Line[]) => {
  const server: ScriptedServer = await serveScript(script);
  useTestCredentials();
  process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME = server.url;
  const client = sageMakerClient();
  closing.push(async () => {
    client.destroy();
    await server.close();
  });
  const endpoint = { client, name: "image-strategy" };
  return {
    server,
    strategy: sageMakerStrategyModel(endpoint, "strategy-1"),
    chat: sageMakerChatModel(endpoint, "judge-1"),
  };
};
const choose = async (...script: Line[]) => (await start(...script)).strategy.choose(picture, signal);

describe("the request", () => {
  test("is one call that names its content type", async () => {
    const { server, strategy } = await start(
      json(200, { model: "m", predictions: [{ id: "0", ...choice }] }),
    );
    await strategy.choose(picture, signal);
    await strategy.choose(new Uint8Array([0x89, 0x50, 0x4e, 0x47]), signal);
    expect(server.heard.map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => "/endpoints/image-strategy/invocations"),
    );
    expect(server.heard.map(({ headers }) => headers["content-type"])).toEqual(["image/jpeg", "image/png"]);
    expect(new Uint8Array(server.heard[0]?.body ?? [])).toEqual(picture);
  });

  test("over the limit it is refused before it is made, base64 counted", async () => {
    const { server, chat } = await start(json(200, {}));
    const url = `data:image/jpeg;base64,${Buffer.alloc(4_718_600).toString("base64")}`;
    const messages = [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] as const;
    await expect(chat.complete({ ...question, messages }, signal)).rejects.toMatchObject({
      kind: "permanent",
      code: "payload-too-large",
    });
    expect(server.heard).toHaveLength(0);
  });
});

describe("the answer", () => {
  test.each([
    ["a list that echoes the prompt", json(200, [{ generated_text: "<s>[INST] <<SYS>> … text" }])],
    ["a web page", { status: 200, body: "<title>500 Internal Server Error</title>" }],
    ["no predictions", json(200, { model: "m", predictions: [] })],
    ["cut JSON", { status: 200, body: '{"model":"m","predic' }],
  ])("%s is no label", async (_what, line) => {
    await expect(choose(line)).rejects.toMatchObject({
      kind: "transient",
      code: "unavailable",
      message: expect.stringContaining('"predictions"'),
    });
  });

  test("a bad field is named", async () => {
    const prediction = { id: "0", ...choice, strategy: "words" };
    await expect(choose(json(200, { model: "m", predictions: [prediction] }))).rejects.toThrow('"strategy"');
  });
});

describe("failures", () => {
  const modelError = (status: number, Message: string): Line =>
    awsError(424, "ModelError", { OriginalStatusCode: status, Message });

  test.each<[string, Line, string, string]>([
    [
      "a container killed after 60 s",
      modelError(0, "invocation timed out while waiting for a response"),
      "transient",
      "timed-out",
    ],
    ["a dead worker", modelError(0, "Received server error (0) from primary"), "transient", "unavailable"],
    ["a web page in a 500", modelError(500, "<title>500</title>"), "transient", "unavailable"],
    ["a busy container", modelError(429, "queue full"), "transient", "throttled"],
    ["a refusing container", modelError(400, "bad picture"), "permanent", "refused"],
    ["a container that finds it large", modelError(413, "too big"), "permanent", "payload-too-large"],
    [
      "throttling as 400 without words",
      awsError(400, "ThrottlingException", { message: null }),
      "transient",
      "throttled",
    ],
    ["a service that is down", awsError(503, "ServiceUnavailable"), "transient", "throttled"],
    [
      "an oversize body",
      awsError(400, "ValidationException", { Message: "oversize body" }),
      "permanent",
      "payload-too-large",
    ],
    [
      "an endpoint that does not exist",
      awsError(400, "ValidationError", { Message: "Endpoint x not found" }),
      "transient",
      "unusable",
    ],
    [
      "a body that validation finds long",
      awsError(400, "ValidationException", {
        Message:
          "Value at 'body' failed to satisfy constraint: Member must have length less than or equal to 6291456",
      }),
      "permanent",
      "payload-too-large",
    ],
    [
      "a caller without the right",
      awsError(403, "AccessDeniedException", { Message: "no" }),
      "transient",
      "unusable",
    ],
    ["an expired token", awsError(403, "ExpiredTokenException", { Message: "no" }), "transient", "unusable"],
    ["throttling as 429", awsError(429, "TooManyRequestsException"), "transient", "throttled"],
    [
      "a model that still loads",
      awsError(429, "ModelNotReadyException", { Message: null }),
      "transient",
      "throttled",
    ],
    ["an internal failure", awsError(500, "InternalFailure", { Message: null }), "transient", "unavailable"],
    ["an internal dependency", awsError(530, "InternalDependencyException"), "transient", "unavailable"],
    ["a container out of places", modelError(503, "no capacity"), "transient", "throttled"],
    ["a container without that path", modelError(404, "not found"), "transient", "unusable"],
    ["a container that wants a key", modelError(401, "no key"), "transient", "unusable"],
    ["a bare 413", { status: 413, body: "" }, "permanent", "payload-too-large"],
    ["a cut connection", "reset", "transient", "unavailable"],
  ])("%s", async (_what, line, kind, code) => {
    await expect(choose(line)).rejects.toMatchObject({ kind, code });
  });

  test("words of the container are not kept", async () => {
    const failure = String(await choose(modelError(400, "张三 said …")).catch((error: unknown) => error));
    expect(failure).not.toContain("张三");
  });

  test("a reset under a large body means it was too large", () => {
    const cut = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    expect(invokeError(cut, "endpoint x", 5_300_000)).toMatchObject({ code: "payload-too-large" });
    expect(invokeError(cut, "endpoint x", 5_000)).toMatchObject({ code: "unavailable" });
  });
});
