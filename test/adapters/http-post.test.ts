/** One POST on a kept connection: what is reused, and what is never taken for a whole reply. */
import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { httpPost, isReplyTooLarge } from "../../functions/_aws/http-post.ts";
import { listen } from "../contract/loopback.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const at = async (server: Server): Promise<URL> => {
  const loopback = await listen(server);
  open.push(loopback);
  return new URL(loopback.url);
};
const post = (url: URL, body = "{}", signal = new AbortController().signal) =>
  httpPost({ url, headers: { "content-type": "application/json" }, body, signal, maxBytes: 1_000 });

test("a body of any characters arrives whole, and so does the reply", async () => {
  const url = await at(
    createServer((request, response) => {
      response.writeHead(201, { "x-kind": "echo" });
      request.pipe(response);
    }),
  );
  const reply = await post(url, '{"text":"试金石 🪨"}');
  expect(reply).toMatchObject({ status: 201, body: '{"text":"试金石 🪨"}' });
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
  await expect(post(url, "{}", giveUp.signal)).rejects.toThrow();
});
