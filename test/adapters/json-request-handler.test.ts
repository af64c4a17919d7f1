/** The SDK over our own request handler: answers, errors and broken connections mean to it what they meant before. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, test } from "vitest";
import { jsonRequestHandler } from "../../functions/_aws/json-request-handler.ts";
import { listen } from "../contract/loopback.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

type Turn = (request: IncomingMessage, response: ServerResponse) => void;

const answer =
  (status: number, body: object): Turn =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
  };
const found = answer(200, { Item: { pk: { S: "样本" } } });
const cut: Turn = (request) => request.socket.resetAndDestroy();
const silent: Turn = () => undefined;

/** A client against a server that takes its turns in order; the last one repeats. */
const against = async (turns: readonly Turn[], requestMs = 5_000) => {
  let calls = 0;
  const server = await listen(
    createServer((request, response) => {
      request.resume();
      turns[Math.min(calls, turns.length - 1)]?.(request, response);
      calls += 1;
    }),
  );
  open.push(server);
  const client = new DynamoDBClient({
    region: "us-east-1",
    endpoint: server.url,
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    maxAttempts: 2,
    requestHandler: jsonRequestHandler({ connectMs: 1_000, requestMs }),
  });
  const get = () => client.send(new GetItemCommand({ TableName: "t", Key: { pk: { S: "1" } } }));
  return { client, get, calls: () => calls };
};

test("an answer is read", async () => {
  const { get } = await against([found]);
  expect((await get()).Item).toEqual({ pk: { S: "样本" } });
});

test("an error keeps its name and is not tried again where it is the caller's", async () => {
  const { get, calls } = await against([
    answer(400, {
      __type: "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
      message: "no table",
    }),
  ]);
  await expect(get()).rejects.toMatchObject({ name: "ResourceNotFoundException", message: "no table" });
  expect(calls()).toBe(1);
});

test.each([
  ["a cut connection", cut],
  ["a failing server", answer(500, { __type: "InternalServerError" })],
])("%s is tried again", async (_, turn) => {
  const { get, calls } = await against([turn, found]);
  expect((await get()).Item).toEqual({ pk: { S: "样本" } });
  expect(calls()).toBe(2);
});

test("an answer that does not come in time is a time-out, and tried again", async () => {
  const { get, calls } = await against([silent], 40);
  await expect(get()).rejects.toMatchObject({ name: "TimeoutError", code: "ETIMEDOUT" });
  expect(calls()).toBe(2);
});

test("an abort ends the call and is not tried again", async () => {
  const giveUp = new AbortController();
  const { client, calls } = await against([() => giveUp.abort()]);
  const call = client.send(new GetItemCommand({ TableName: "t", Key: { pk: { S: "1" } } }), {
    abortSignal: giveUp.signal,
  });
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  expect(calls()).toBe(1);
});
