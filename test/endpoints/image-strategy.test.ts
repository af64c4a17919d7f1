/** The image-strategy server over HTTP, as SageMaker would talk to it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadClassifier } from "../../infra/endpoints/image-strategy/classifier.ts";
import type { RunningServer } from "../../infra/endpoints/image-strategy/http-server.ts";
import { startImageStrategy } from "../../infra/endpoints/image-strategy/serve.ts";

const root = join(import.meta.dirname, "../..");
const fixture = (name: string) => readFile(join(import.meta.dirname, "fixtures", name));

let server: RunningServer;
beforeAll(async () => {
  server = await startImageStrategy({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

const invoke = async (contentType: string, body: string | Uint8Array<ArrayBuffer>) => {
  const headers = { "content-type": contentType };
  const response = await fetch(`${server.url}/invocations`, { method: "POST", headers, body });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
};
const invokeImages = async (images: { id: string; data: Buffer }[]) => {
  const encoded = images.map(({ id, data }) => ({ id, data: data.toString("base64") }));
  return invoke("application/json", JSON.stringify({ images: encoded }));
};

test("sees what training saw: the logits are those that torch gave for the same files", async () => {
  const recorded: unknown = JSON.parse(String(await fixture("strategy-logits.json")));
  const { logits } = await loadClassifier();
  const entries = Object.entries(Object(recorded));
  expect(entries.length).toBeGreaterThanOrEqual(4);
  for (const [name, expected] of entries) {
    const seen = [...(await logits(await fixture(name)))];
    const off = seen.map((value, i) => Math.abs(value - Number(Object(expected)[i])));
    expect(Math.max(...off), `${name}: ${seen}`).toBeLessThan(1e-3);
  }
});

describe("POST /invocations", () => {
  test("tells text, mixed and picture apart and answers in order", async () => {
    const names = ["chat-zh.png", "page-en.png", "poster.jpg", "scenery.jpg"];
    const images = await Promise.all(names.map(async (id) => ({ id, data: await fixture(id) })));
    const { status, answer } = await invokeImages(images);
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      model: "image-strategy-convnext-1",
      predictions: [
        { id: "chat-zh.png", strategy: "text" },
        { id: "page-en.png", strategy: "text", unsure: false },
        { id: "poster.jpg", strategy: "mixed", unsure: false },
        { id: "scenery.jpg", strategy: "picture", unsure: false },
      ],
    });
  });

  test.each([
    ["image/jpeg", "scenery.jpg", "picture"],
    ["image/png", "page-en.png", "text"],
  ])("takes the bytes of one image: %s", async (contentType, name, strategy) => {
    const { answer } = await invoke(contentType, new Uint8Array(await fixture(name)));
    const probabilities = {
      text: expect.any(Number),
      picture: expect.any(Number),
      mixed: expect.any(Number),
    };
    expect(answer).toMatchObject({ predictions: [{ id: "0", strategy, probabilities }] });
  });

  test("fails unreadable images alone, with the reason, and answers their neighbours", async () => {
    const good = await fixture("scenery.jpg");
    const { status, answer } = await invokeImages([
      { id: "empty", data: Buffer.alloc(0) },
      { id: "cut", data: good.subarray(0, good.length / 2) },
      { id: "text", data: Buffer.from("not a picture") },
      { id: "vector", data: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`) },
      { id: "good", data: good },
    ]);
    expect(status).toBe(200);
    const unreadable = { kind: "unreadable", message: expect.any(String) };
    expect(answer).toMatchObject({
      predictions: [
        { id: "empty", error: unreadable },
        { id: "cut", error: unreadable },
        { id: "text", error: unreadable },
        { id: "vector", error: { kind: "unreadable", message: expect.stringContaining("svg") } },
        { id: "good", strategy: "picture" },
      ],
    });
  });

  test.each([
    ["application/json", "{", 400, "not JSON"],
    ["application/json", "{}", 400, "images"],
    ["application/json", `{"images":[]}`, 400, "images"],
    ["application/json", `{"images":[{"id":"a"}]}`, 400, "images[0]"],
    ["text/plain", "hello", 415, "text/plain"],
  ])("refuses a body it does not understand: %s %s", async (contentType, body, status, words) => {
    const refusal = await invoke(contentType, body);
    expect(refusal.status).toBe(status);
    expect(refusal.answer).toMatchObject({ error: { message: expect.stringContaining(words) } });
  });

  test("a body over 25 MiB is refused", async () => {
    const { status, answer } = await invoke("image/png", new Uint8Array(25 * 1024 * 1024 + 1));
    expect([status, answer]).toMatchObject([413, { error: { kind: "too_large" } }]);
  });

  test("an unknown path is 404 and a wrong method 405, both as JSON", async () => {
    const missing = await fetch(`${server.url}/nothing`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { kind: "unknown_route" } }]);
    expect((await fetch(`${server.url}/invocations`)).status).toBe(405);
  });
});

describe("the container's program", () => {
  test("runs from a copy of its folder, answers /ping once loaded, and ends on SIGTERM", async () => {
    await mkdir(join(root, ".build"), { recursive: true });
    const copy = await mkdtemp(join(root, ".build", "image-strategy-"));
    await cp(join(root, "infra/endpoints/image-strategy"), copy, { recursive: true });
    const env = { ...process.env, BIND_HOST: "127.0.0.1", SAGEMAKER_BIND_TO_PORT: "0" };
    const child = spawn(process.execPath, ["serve.ts", "serve"], {
      cwd: copy,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(child.stdout), "line");
    const url = /^\{"listening":"(http:[^"]+)"\}$/.exec(String(line))?.[1];
    const ping = await fetch(`${url}/ping`);
    expect(ping.status).toBe(200);
    await ping.body?.cancel();
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    await rm(copy, { recursive: true });
  });
});
