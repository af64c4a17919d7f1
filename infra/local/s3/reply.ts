/** What an operation answers, and how it goes out over HTTP. */
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import { leaf, s3Namespace, xmlDocument } from "./xml-write.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** XML text, or an object's bytes, whose length is then in the `content-length` header. */
  readonly body?: string | Readable;
}

/** A 200 with an XML document. */
export function xmlReply(
  root: string,
  content: readonly string[],
  headers: Record<string, string> = {},
): Reply {
  const body = xmlDocument(root, content, s3Namespace);
  return { status: 200, headers: { ...headers, "content-type": "application/xml" }, body };
}

/** A reply without a body. */
export function emptyReply(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers };
}

/** Turns anything thrown into S3's error document; what is not an S3Error is our own fault and a 500. */
export function errorReply(error: unknown, resource: string, requestId: string): Reply {
  const known =
    error instanceof S3Error
      ? error
      : new S3Error("InternalError", error instanceof Error ? error.message : String(error));
  const content = [
    leaf("Code", known.code),
    leaf("Message", known.message),
    leaf("Resource", resource),
    leaf("RequestId", requestId),
  ];
  const headers = { ...known.headers, "content-type": "application/xml" };
  return { status: known.status, headers, body: xmlDocument("Error", content) };
}

/** Bytes of the answer's body. */
export function replyBytes(reply: Reply, request: S3Request): number {
  if (request.method === "HEAD" || reply.body === undefined) return 0;
  return typeof reply.body === "string"
    ? Buffer.byteLength(reply.body)
    : Number(reply.headers["content-length"]);
}

/** Closes the file behind a reply that will not be sent. */
export function discardReply(reply: Reply): void {
  if (typeof reply.body === "object") reply.body.destroy();
}

/** Writes the reply; streams file bodies with back-pressure. */
export async function sendReply(response: ServerResponse, reply: Reply, method: string): Promise<void> {
  const text = typeof reply.body === "string" ? reply.body : "";
  const bodiless = reply.status === 204 || reply.status === 304;
  const length = bodiless ? {} : { "content-length": String(Buffer.byteLength(text)) };
  response.writeHead(reply.status, { ...length, ...reply.headers });
  if (method === "HEAD" || typeof reply.body !== "object") {
    discardReply(reply);
    response.end(method === "HEAD" ? undefined : text);
    return;
  }
  try {
    await pipeline(reply.body, response);
  } catch {
    // The status line is out: a broken connection is the only way left to tell the client, and usually it has left.
    response.destroy();
  }
}
