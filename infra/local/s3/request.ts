/** One HTTP request as S3 sees it: level, bucket, key, query, caller. Built once by `server.ts`. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { S3Error } from "./s3-error.ts";

export interface S3Request {
  readonly method: string;
  /** Empty at the service level. */
  readonly bucket: string;
  /** Empty at the bucket level. */
  readonly key: string;
  /** What decides behaviour; signing parameters and headers sent as parameters are taken out. */
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Epoch milliseconds until which a presigned request is good. */
  readonly expiresAt: number | undefined;
  readonly body: Readable;
  /** Access key id, or "anonymous". */
  readonly caller: string;
  readonly requestId: string;
}

/** AWS's limit, in UTF-8 bytes. */
const maxKeyBytes = 1024;
const signingParameter =
  /^x-amz-(algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders|user-agent)$/;

/** Parses a path-style request. The path is never normalised: `a//b` and `a/../b` are keys like any other. */
export function parseRequest(incoming: IncomingMessage, requestId: string): S3Request {
  const url = incoming.url ?? "/";
  const mark = url.indexOf("?");
  const path = (mark === -1 ? url : url.slice(0, mark)).replace(/^\//, "");
  const slash = path.indexOf("/");
  const parameters = new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1));
  const key = decodePath(slash === -1 ? "" : path.slice(slash + 1));
  if (Buffer.byteLength(key) > maxKeyBytes) {
    throw new S3Error("KeyTooLongError", `Your key is too long: ${maxKeyBytes} bytes are allowed.`);
  }
  return {
    method: incoming.method ?? "GET",
    bucket: decodePath(slash === -1 ? path : path.slice(0, slash)),
    key,
    ...splitParameters(parameters, incoming.headers),
    expiresAt: expiryOf(parameters),
    body: incoming,
    caller: callerOf(incoming.headers.authorization, parameters),
    requestId,
  };
}

/** A presigned URL carries `x-amz-*` headers as parameters; S3 treats them as the headers they are. */
function splitParameters(parameters: URLSearchParams, sent: IncomingHttpHeaders) {
  const query = new URLSearchParams();
  const headers: IncomingHttpHeaders = { ...sent };
  for (const [name, value] of parameters) {
    const header = name.toLowerCase();
    // The SDK's x-id repeats the operation's name and changes nothing.
    if (header === "x-id" || signingParameter.test(header)) continue;
    if (header.startsWith("x-amz-")) headers[header] = value;
    else query.append(name, value);
  }
  return { query, headers };
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(
      "InvalidURI",
      `Couldn't parse the specified URI: "${text}" is not percent-encoded UTF-8.`,
    );
  }
}

function callerOf(authorization: string | undefined, parameters: URLSearchParams): string {
  const credential =
    /Credential=([^,\s]+)/.exec(authorization ?? "")?.[1] ?? parameters.get("X-Amz-Credential");
  return credential?.split("/")[0] || "anonymous";
}

/** A header's value as one string. */
export function headerOf(request: S3Request, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}

/** Bytes the caller sends, without aws-chunked framing when that is known. */
export function declaredBytes(request: S3Request): number {
  return Number(
    headerOf(request, "x-amz-decoded-content-length") ?? headerOf(request, "content-length") ?? 0,
  );
}

function expiryOf(parameters: URLSearchParams): number | undefined {
  const expires = parameters.get("X-Amz-Expires");
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameters.get("X-Amz-Date") ?? "");
  if (expires === null || date === null) return undefined;
  const [, year, month, day, hour, minute, second] = date;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + Number(expires) * 1000;
}

/** Refuses a presigned request whose time is over. Signatures themselves are not verified: no secrets live here. */
export function refuseExpired(request: S3Request, now: number): void {
  if (request.expiresAt !== undefined && request.expiresAt < now) {
    throw new S3Error("AccessDenied", "Request has expired");
  }
}
