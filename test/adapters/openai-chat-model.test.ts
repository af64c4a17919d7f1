/** How the OpenAI adapter calls servers of every kind, and what it makes of their failures. */
import { createServer } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { openAiChatModel } from "../../functions/_aws/openai-chat-model.ts";
import { completion, question } from "../contract/chat-model-contract.ts";
import { listen } from "../contract/loopback.ts";
import { json, type Line, type ScriptedServer, serveScript } from "../contract/model-servers.ts";

const open: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const now = Date.parse("2025-01-01T00:00:00Z");
const start = async (...script: Line[]): Promise<ScriptedServer> => {
  const server = await serveScript(script);
  open.push(server);
  return server;
};
const modelAt = (url: string, part: { readonly apiKey?: string; readonly timeoutMs?: number } = {}) =>
  openAiChatModel({ url, model: "judge-1", timeoutMs: 10_000, clock: () => now, ...part });
const ask = async (...script: Line[]) => {
  const server = await start(...script);
  return modelAt(server.url).complete(question, new AbortController().signal);
};
const signal = new AbortController().signal;

describe("the request", () => {
  test.each(["", "/", "/v1", "/v1/"])(
    "goes to one path, whether the URL ends in %j or not",
    async (ending) => {
      const server = await start(json(200, completion));
      await modelAt(server.url + ending).complete(question, signal);
      expect(server.heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
        "POST /v1/chat/completions",
      ]);
    },
  );

  test("keeps a path that a gateway puts before", async () => {
    const server = await start(json(200, completion));
    await modelAt(`${server.url}/openai/v1`).complete(question, signal);
    expect(server.heard[0]?.path).toBe("/openai/v1/chat/completions");
  });

  test("carries model, question and key", async () => {
    const server = await start(json(200, completion));
    await modelAt(server.url, { apiKey: "k-1" }).complete(question, signal);
    const [heard] = server.heard;
    expect(heard?.headers).toMatchObject({ authorization: "Bearer k-1", "content-type": "application/json" });
    expect(JSON.parse(heard?.body.toString() ?? "")).toEqual({ ...question, model: "judge-1" });
  });

  test("carries no key where there is none, and is made once", async () => {
    const server = await start(json(500, {}));
    await modelAt(server.url)
      .complete(question, signal)
      .catch(() => undefined);
    expect(server.heard).toHaveLength(1);
    expect(server.heard[0]?.headers.authorization).toBeUndefined();
  });
});

describe("the answer", () => {
  test("a web page is never parsed, not even with status 200", async () => {
    const page = { status: 200, headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" };
    await expect(ask(page)).rejects.toMatchObject({ kind: "transient", code: "unavailable" });
  });

  test("a list, as text-generation containers answer, is told by its shape", async () => {
    await expect(ask(json(200, [{ generated_text: "[INST] … A" }]))).rejects.toThrow("a JSON list");
  });

  test("a field of the wrong shape is named", async () => {
    const bad = json(200, { choices: [{ message: { content: 5 } }] });
    await expect(ask(bad)).rejects.toMatchObject({
      kind: "transient",
      code: "unavailable",
      message: expect.stringContaining('"choices.0.message.content"'),
    });
  });
});

describe("errors", () => {
  test.each([
    [408, "transient", "timed-out"],
    [429, "transient", "throttled"],
    [500, "transient", "unavailable"],
    [502, "transient", "unavailable"],
    [503, "transient", "throttled"],
    [504, "transient", "timed-out"],
    [400, "permanent", "refused"],
    [529, "transient", "throttled"],
    [401, "transient", "unusable"],
    [402, "transient", "unusable"],
    [403, "transient", "unusable"],
    [404, "transient", "unusable"],
    [405, "transient", "unusable"],
    [409, "permanent", "refused"],
    [413, "permanent", "payload-too-large"],
    [422, "permanent", "refused"],
  ])("status %i is %s %s", async (status, kind, code) => {
    await expect(ask(json(status, { error: { message: "no" } }))).rejects.toMatchObject({ kind, code });
  });

  test.each([
    ["7", 7],
    ["0.4", 1],
    ["Wed, 01 Jan 2025 00:01:30 GMT", 90],
    ["Tue, 31 Dec 2024 23:59:00 GMT", 0],
    ["soon", undefined],
  ])("retry-after %j means %s seconds", async (header, seconds) => {
    const failure = await ask(json(429, {}, { "retry-after": header })).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "throttled", retryAfterSeconds: seconds });
  });

  test("the server's words are kept, shortened, without what they repeat of the sample", async () => {
    const secret = "张三丰的身份证号是 110101199003070000 请保密";
    const words = `invalid value near "${secret}" and 张三丰的 in messages ${"x".repeat(2_000)}`;
    const server = await start(json(400, { error: { message: words } }));
    const messages = [{ role: "user", content: [{ type: "text", text: `问题：${secret}。` }] }] as const;
    const failure = String(
      await modelAt(server.url)
        .complete({ ...question, messages }, signal)
        .catch((error: unknown) => error),
    );
    expect(failure).toContain("answered 400: invalid value near");
    expect(failure).not.toContain("身份证号");
    expect(failure).not.toContain("张三丰");
    expect(failure).not.toContain("110101199003070000");
    expect(failure.length).toBeLessThan(420);
  });

  test.each([
    { detail: "bad key" },
    { error: "bad key" },
    { message: "bad key" },
    { error: { message: "bad key" } },
  ])("finds the server's words in %j", async (body) => {
    await expect(ask(json(403, body))).rejects.toThrow("answered 403: bad key");
  });

  test("a redirect is refused and not followed", async () => {
    const other = await start(json(200, completion));
    await expect(ask({ status: 307, headers: { location: other.url }, body: "" })).rejects.toMatchObject({
      kind: "transient",
      code: "unusable",
    });
    expect(other.heard).toHaveLength(0);
  });

  test("a cut connection is transient", async () => {
    await expect(ask("reset")).rejects.toMatchObject({ kind: "transient", code: "unavailable" });
  });

  test("a server that is not there is transient and named", async () => {
    const gone = await listen(createServer());
    await gone.close();
    await expect(modelAt(gone.url).complete(question, signal)).rejects.toMatchObject({
      kind: "transient",
      code: "unusable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("an answer that never comes is a transient time-out", async () => {
    const server = await start("silent");
    await expect(modelAt(server.url, { timeoutMs: 60 }).complete(question, signal)).rejects.toMatchObject({
      kind: "transient",
      code: "timed-out",
    });
  });
});
