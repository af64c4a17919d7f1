/** Reads the body of `POST /invocations`: one encoded image, or a JSON list of them; used by serve.ts. */
import { HttpProblem, type HttpRequest } from "./http-server.ts";

export interface InvocationImage {
  readonly id: string;
  readonly bytes: Buffer;
}

const imageTypes = ["image/jpeg", "image/png", "image/webp"] as const;
const maxImages = 64;

/** Throws `HttpProblem` when the body as a whole is not understood; whether each image can be read comes later. */
export function readInvocation(request: HttpRequest): InvocationImage[] {
  if (imageTypes.some((type) => type === request.contentType)) return [{ id: "0", bytes: request.body }];
  if (request.contentType !== "application/json") {
    throw new HttpProblem(
      415,
      "unsupported_type",
      `Content-Type "${request.contentType}" is not served; send application/json, ${imageTypes.join(", ")}`,
    );
  }
  const body = parseJson(request.body);
  const images = isRecord(body) ? body.images : undefined;
  if (!Array.isArray(images) || images.length === 0 || images.length > maxImages) {
    throw invalid(`\`images\` must be a list of 1 to ${maxImages} objects {"id", "data"}`, "images");
  }
  return images.map((image: unknown, i) => {
    if (!isRecord(image) || typeof image.id !== "string" || typeof image.data !== "string") {
      throw invalid(`\`images[${i}]\` must have a text \`id\` and base64 \`data\``, `images[${i}]`);
    }
    return { id: image.id, bytes: Buffer.from(image.data, "base64") };
  });
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
