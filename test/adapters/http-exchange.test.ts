/** One request on a kept connection: what is reused, and what is never taken for a whole reply. */
import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import {
  type Exchange,
  exchange,
  isReplyTooLarge,
  keptConnections,
} from "../../functions/_aws/http-exchange.ts";
import { listen } from "../contract/loopback.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const connections = keptConnections();

const at = async (server: Server): Promise<URL> => {
  const loopback = await listen(server);
  open.push(loopback);
  return new URL(loopback.url);
};
const post = (url: URL, body = "{}", part: Partial<Exchange> = {}) =>
  exchange({
    secure: false,
    host: url.hostname,
    port: url.port,
    method: "POST",
    path: "/",
    headers: { "content-type": "application/json" },
    body,
    connections,
    maxBytes: 1_000,
    ...part,
  });

test("a body of any characters arrives whole, and so does the reply", async () => {
  const url = await at(
    createServer((request, response) => {
      response.writeHead(201, { "x-kind": "echo" });
      request.pipe(response);
    }),
  );
  const reply = await post(url, '{"text":"试金石 🪨"}');
  expect(reply.status).toBe(201);
  expect(reply.body.toString()).toBe('{"text":"试金石 🪨"}');
  expect(reply.headers["x-kind"]).toBe("echo");
});

test("calls one after the other share a connection", async () => {
  let connections = 0;
  const server = createServer((_, response) => response.end("{}"));
  server.on("connection", () => {
    connections += 1;
  });
  const url = await at(server);
  for (let call = 0; call < 3; call += 1) await post(url);
  expect(connections).toBe(1);
});

test("a reply over the limit is given up", async () => {
  const url = await at(createServer((_, response) => response.end("x".repeat(5_000))));
  const error: unknown = await post(url).catch((reason: unknown) => reason);
  expect(isReplyTooLarge(error)).toBe(true);
});

test("a reply that breaks off is an error", async () => {
  const url = await at(
    createServer((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => response.destroy());
    }),
  );
  await expect(post(url)).rejects.toMatchObject({ code: "ECONNRESET" });
});

test("an abort ends a call whose reply has begun", async () => {
  const giveUp = new AbortController();
  const url = await at(
    createServer((_, response) => {
      response.writeHead(200);
      response.write("{", () => giveUp.abort());
    }),
  );
  await expect(post(url, "{}", { signal: giveUp.signal })).rejects.toThrow();
});

test("a reply that does not come in time is a time-out", async () => {
  const url = await at(createServer(() => undefined));
  await expect(post(url, "{}", { totalMs: 20 })).rejects.toMatchObject({ code: "ETIMEDOUT" });
});

test("a call that was in time leaves nothing that could end the connection later", async () => {
  const url = await at(createServer((_, response) => response.end("{}")));
  await post(url, "{}", { totalMs: 20, connectMs: 20 });
  await new Promise((resolve) => setTimeout(resolve, 40));
  await expect(post(url)).resolves.toMatchObject({ status: 200 });
});
