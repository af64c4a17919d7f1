/** The captioner over HTTP, as any OpenAI client would talk to it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type CaptionLanguage, captionPrompt } from "@touchstone/core/domain/describe/caption-prompt";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";
import type { Strategy } from "@touchstone/core/schema/gist";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCaptioner } from "../../infra/endpoints/captioner/server.ts";
import type { RunningServer } from "../../infra/endpoints/image-strategy/http-server.ts";

const model = "touchstone-ocr-captioner-1 (baseline)";
const root = join(import.meta.dirname, "../..");

let server: RunningServer;
beforeAll(async () => {
  server = await startCaptioner({ port: 0 });
});
afterAll(() => server.close());

const dataUrl = async (name: string) => {
  const bytes = await readFile(join(import.meta.dirname, "fixtures", name));
  return `data:image/${name.endsWith("png") ? "png" : "jpeg"};base64,${bytes.toString("base64")}`;
};
const post = async (body: unknown) => {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
};
const request = (style: Strategy, language: CaptionLanguage, urls: readonly string[], extra = {}) => {
  const { system, user } = captionPrompt(style, language);
  const images = urls.map((url) => ({ type: "image_url", image_url: { url } }));
  return {
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: user }, ...images] },
    ],
    ...extra,
  };
};
const caption = async (style: Strategy, language: CaptionLanguage, names: readonly string[], extra = {}) => {
  const { status, answer } = await post(
    request(style, language, await Promise.all(names.map(dataUrl)), extra),
  );
  expect(status).toBe(200);
  const completion = chatCompletionSchema.parse(answer);
  const choice = completion.choices?.[0];
  return { text: choice?.message?.content ?? "", finish: choice?.finish_reason, completion };
};

describe("the three styles", () => {
  test("text: every message of a Chinese chat in order, with its side", async () => {
    const { text, finish, completion } = await caption("text", "zh", ["chat-zh.png"]);
    const lines = text.replaceAll(/[ ?？]/g, "").split("\n");
    expect(lines.slice(1)).toEqual([
      ">【中】客服小石",
      ">【左】您好，请问有什么可以帮您",
      ">【右】订单20240917什么时候发货已经等了三天了",
      ">【左】预计明天下午发出，运费12.50元由我们承担",
      ">【右】好的，谢谢",
    ]);
    expect(finish).toBe("stop");
    expect(completion).toMatchObject({ model, object: "chat.completion" });
    expect(completion.usage?.completion_tokens).toBeGreaterThan(50);
  });

  test("text: every line of an English page, headings marked", async () => {
    const { text } = await caption("text", "en", ["page-en.png"]);
    expect(text.split("\n")).toEqual([
      "4 line(s) of text in reading order:",
      "> Return policy",
      "> Unused goods may be returned within 30 days.",
      "> Keep the receipt and the original box.",
      "> Refunds are paid in 5 working days.",
    ]);
  });

  test("picture: size, colours and text found, and that objects were not identified", async () => {
    const { text } = await caption("picture", "en", ["poster.jpg"]);
    expect(text).toContain("Portrait, 420×560 pixels.");
    expect(text).toMatch(/Main colours: .+ overall\./);
    expect(text).toContain("“秋日市集”");
    expect(text).toContain("Objects, people and scenes were not identified");
  });

  test("picture: a picture without text says so", async () => {
    const { text } = await caption("picture", "zh", ["scenery.jpg"]);
    expect(text).toContain("横图，420×300 像素。");
    expect(text).toContain("未发现文字。");
    expect(text).toContain("未识别物体");
  });

  test("mixed: all lines, then the facts, each only once", async () => {
    const { text } = await caption("mixed", "zh", ["poster.jpg"]);
    expect(text).toContain("> 【大字】秋日市集\n");
    expect(text.match(/立即报名/g)).toHaveLength(1);
    expect(text).toContain("竖图，420×560 像素。");
    expect(text).toMatch(/由上到下：上部.+、中部.+、下部.+为主。/);
    expect(text).toMatch(/文字位置：上部 \d+ 行/);
  });

  test("the pieces of a long picture are read as one, and what overlaps once", async () => {
    const page = sharp(join(import.meta.dirname, "fixtures", "page-en.png"));
    const { width, height } = await page.metadata();
    // The cut goes through the middle of the text.
    const margin = Math.round(width - height / 2);
    const whole = await page.extend({ top: margin, bottom: margin, background: "#fff" }).png().toBuffer();
    const length = Math.round(1.2 * width);
    const cuts = [0, 2 * width - length].map((top) => ({ left: 0, top, width, height: length }));
    const urls = [];
    for (const area of cuts) {
      const bytes = await sharp(whole).extract(area).png().toBuffer();
      urls.push(`data:image/png;base64,${bytes.toString("base64")}`);
    }
    const { system, user } = captionPrompt("text", "en", {
      count: 2,
      overlap: (2 * length - 2 * width) / length,
    });
    const images = urls.map((url) => ({ type: "image_url", image_url: { url } }));
    const { answer } = await post({
      model,
      messages: [
        { role: "system", content: system },
        { role: "user", content: [...images, { type: "text", text: user }] },
      ],
    });
    const text = chatCompletionSchema.parse(answer).choices?.[0]?.message?.content;
    expect(text).toBe((await caption("text", "en", ["page-en.png"])).text);
  });
});

describe("the protocol", () => {
  test("several images are numbered, and max_tokens cuts with finish_reason length", async () => {
    const both = await caption("mixed", "en", ["scenery.jpg", "page-en.png"]);
    expect(both.text).toMatch(/^Image 1:\nNo text was found\.[\s\S]+\n\nImage 2:\n4 line/);
    const cut = await caption("text", "en", ["page-en.png"], { max_tokens: 12 });
    expect(cut.finish).toBe("length");
    expect(cut.text).toBe("4 line(s) of text in reading order:\n> Return pol");
  });

  test("lists its model and reports its health", async () => {
    const models = await fetch(`${server.url}/v1/models`);
    expect(await models.json()).toMatchObject({ object: "list", data: [{ id: model, object: "model" }] });
    const health = await fetch(`${server.url}/health`);
    expect(await health.json()).toEqual({ status: "ok", model });
  });

  test("a picture that cannot be read is the sender's fault, by name", async () => {
    const url = `data:image/png;base64,${Buffer.from("not a picture").toString("base64")}`;
    const { status, answer } = await post(request("text", "zh", [url]));
    expect(status).toBe(400);
    expect(answer).toMatchObject({
      error: {
        type: "invalid_request_error",
        code: "unreadable_image",
        message: expect.stringContaining("Image 1"),
      },
    });
  });

  test.each([
    ["no JSON", "{", null, "not JSON"],
    ["no messages", { model }, "messages", "messages"],
    ["no picture", { messages: [{ role: "user", content: "hello" }] }, "messages", "image_url"],
    [
      "an address to fetch",
      request("text", "en", ["https://example.com/a.png"]),
      expect.anything(),
      "data URL",
    ],
    ["streaming", { ...request("text", "en", []), stream: true }, "stream", "Streaming"],
    [
      "a bad limit",
      { ...request("text", "en", ["data:image/png;base64,AA"]), max_tokens: 0 },
      "max_tokens",
      "1",
    ],
    [
      "an unknown part",
      { messages: [{ role: "user", content: [{ type: "input_audio" }] }] },
      "messages[0].content[0]",
      "image_url",
    ],
  ])("refuses %s with an OpenAI error object", async (_, body, param, words) => {
    const { status, answer } = await post(body);
    expect(status).toBe(400);
    const error = { type: "invalid_request_error", code: "invalid_request", param };
    expect(answer).toMatchObject({ error: { ...error, message: expect.stringContaining(words) } });
  });
});

test("the program prints where it listens and ends on SIGTERM", async () => {
  const program = join(root, "infra/endpoints/captioner/server.ts");
  const child = spawn(process.execPath, [program, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const url = /^\{"listening":"(http:[^"]+)"\}$/.exec(String(line))?.[1];
  const health = await fetch(`${url}/health`);
  expect(health.status).toBe(200);
  await health.body?.cancel();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
