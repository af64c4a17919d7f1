/** Calls the review API, signed with the operator's credentials. Part of a connection. */
import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4, type SignatureV4Init } from "@smithy/signature-v4";

export interface ApiReply {
  readonly status: number;
  /** The JSON body; null where the answer is not JSON. */
  readonly body: unknown;
}

export interface ApiTarget {
  /** Without a slash at its end. */
  readonly url: string;
  readonly region: SignatureV4Init["region"];
  readonly credentials: SignatureV4Init["credentials"];
}

/** Longer than the function behind the API may run. */
const timeoutMs = 30_000;

/** `path` is percent-encoded already, and may end in a query. */
export const signedFetch = async (
  target: ApiTarget,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<ApiReply> => {
  const url = new URL(target.url + path);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const signer = new SignatureV4({
    service: "execute-api",
    region: target.region,
    credentials: target.credentials,
    sha256: Sha256,
  });
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, ...(text === undefined ? {} : { "content-type": "application/json" }) },
    ...(text === undefined ? {} : { body: text }),
  });
  const answer = await fetch(url, {
    method,
    headers: signed.headers,
    signal: AbortSignal.timeout(timeoutMs),
    ...(text === undefined ? {} : { body: text }),
  });
  return { status: answer.status, body: parseBody(await answer.text()) };
};

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
