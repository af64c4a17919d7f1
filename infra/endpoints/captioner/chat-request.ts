/** Reads an OpenAI chat request as far as a captioner needs it; used by server.ts. */
import type { CaptionLanguage } from "@touchstone/core/domain/describe/caption-prompt";
import { type Strategy, strategies } from "@touchstone/core/schema/gist";
import { HttpProblem } from "../image-strategy/http-server.ts";

export interface CaptionRequest {
  readonly style: Strategy;
  readonly language: CaptionLanguage;
  readonly images: readonly Buffer[];
  /** Share of its length that each image repeats of the one before, where all are one long picture; else null. */
  readonly overlap: number | null;
  /** All text of the prompt. */
  readonly prompt: string;
  readonly maxTokens: number;
}

const maxImages = 16;
const defaultMaxTokens = 4_096;

/** Throws `HttpProblem` 400 naming the field at fault. */
export function readCaptionRequest(body: Buffer): CaptionRequest {
  const request = parseJson(body);
  if (!isRecord(request)) throw invalid("The body must be a JSON object", null);
  if (request.stream === true) throw invalid("Streaming is not offered; leave `stream` out", "stream");
  if (!Array.isArray(request.messages) || request.messages.length === 0) {
    throw invalid("`messages` must be a list with at least one message", "messages");
  }
  const texts: string[] = [];
  const images: Buffer[] = [];
  for (const [i, message] of request.messages.entries()) {
    readMessage(message, `messages[${i}]`, texts, images);
  }
  if (images.length === 0) throw invalid("There is no `image_url` part to describe", "messages");
  if (images.length > maxImages) throw invalid(`At most ${maxImages} images a request`, "messages");
  const prompt = texts.join("\n");
  const overlap = readTiles(prompt, images.length);
  return { ...readPrompt(prompt), images, overlap, prompt, maxTokens: readMaxTokens(request) };
}

/** The style is what the prompt calls for, `mixed` when it does not say; the language is the prompt's own. */
export function readPrompt(prompt: string): { style: Strategy; language: CaptionLanguage } {
  const asked = /\bstyle\s*[:：]\s*([a-z]+)/i.exec(prompt)?.[1]?.toLowerCase();
  return {
    style: strategies.find((style) => style === asked) ?? "mixed",
    language: /\p{Script=Han}/u.test(prompt) ? "zh" : "en",
  };
}

/** `Tiles: 3, overlap 0.08`: the three images are one picture. A count that is not theirs says nothing about them. */
export function readTiles(prompt: string, images: number): number | null {
  const [, count, share] = /\btiles\s*[:：]\s*(\d+),\s*overlap\s+(0(?:\.\d+)?)/i.exec(prompt) ?? [];
  const overlap = Number(share);
  return Number(count) === images && images > 1 && overlap < 0.5 ? overlap : null;
}

function readMessage(message: unknown, path: string, texts: string[], images: Buffer[]): void {
  if (!isRecord(message)) throw invalid(`\`${path}\` must be an object`, path);
  const { content } = message;
  if (typeof content === "string") {
    texts.push(content);
    return;
  }
  if (!Array.isArray(content)) {
    throw invalid(`\`${path}.content\` must be text or a list of parts`, `${path}.content`);
  }
  for (const [i, part] of content.entries()) {
    const partPath = `${path}.content[${i}]`;
    if (isRecord(part) && part.type === "text" && typeof part.text === "string") texts.push(part.text);
    else if (isRecord(part) && part.type === "image_url") images.push(readDataUrl(part.image_url, partPath));
    else throw invalid(`\`${partPath}\` must be a text or image_url part`, partPath);
  }
}

function readDataUrl(imageUrl: unknown, path: string): Buffer {
  const url = isRecord(imageUrl) ? imageUrl.url : undefined;
  const base64 = typeof url === "string" ? /^data:image\/[\w.+-]+;base64,/.exec(url) : null;
  if (typeof url !== "string" || !base64) {
    throw invalid(
      `\`${path}.image_url.url\` must be a data URL (data:image/…;base64,…); nothing is fetched`,
      `${path}.image_url.url`,
    );
  }
  return Buffer.from(url.slice(base64[0].length), "base64");
}

function readMaxTokens(request: Record<string, unknown>): number {
  const asked = request.max_completion_tokens ?? request.max_tokens ?? defaultMaxTokens;
  if (typeof asked !== "number" || !Number.isInteger(asked) || asked < 1) {
    throw invalid("`max_tokens` must be a whole number of at least 1", "max_tokens");
  }
  return asked;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    throw invalid(`The body is not JSON: ${error instanceof Error ? error.message : error}`, null);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(message: string, param: string | null): HttpProblem {
  return new HttpProblem(400, "invalid_request", message, param);
}
