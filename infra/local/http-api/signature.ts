/** Checks the SigV4 signature of a request to an HTTP API by signing it again with the embedded secret. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";

export interface SignedRequest {
  readonly method: string;
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** API Gateway refuses signatures further than this from its own clock. */
const maximumSkewMs = 5 * 60_000;
const credentialPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/execute-api\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** The access key id that signed the request; `undefined` when it is unsigned, stale or signed with another secret. */
export async function verifySignature(
  request: SignedRequest,
  secretAccessKey: string,
  region: string,
  now: number,
): Promise<string | undefined> {
  const [, accessKeyId, day, scopeRegion, signedHeaders, signature] =
    request.headers.authorization?.match(credentialPattern) ?? [];
  const time = String(request.headers["x-amz-date"] ?? "");
  if (!accessKeyId || !signedHeaders || !signature || !day) return undefined;
  if (scopeRegion !== region || !time.startsWith(day) || !bodyMatches(request)) return undefined;
  const signingDate = new Date(
    time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!(Math.abs(now - signingDate.getTime()) <= maximumSkewMs)) return undefined;

  const names = signedHeaders.split(";");
  const signer = new SignatureV4({
    service: "execute-api",
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    // The sender decided which headers to sign; adding one here would change the signature.
    applyChecksum: false,
  });
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: "http:",
      hostname: "",
      path: request.path,
      query: queryOf(request.query),
      headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name] ?? "")])),
      body: request.body,
    },
    { signingDate, signableHeaders: new Set(names) },
  );
  const again = signed.headers.authorization?.match(/Signature=([0-9a-f]{64})$/)?.[1] ?? "";
  return again.length === signature.length && timingSafeEqual(Buffer.from(again), Buffer.from(signature))
    ? accessKeyId
    : undefined;
}

/** The declared hash is what gets signed, so it must be the hash of the body that came. */
function bodyMatches({ headers, body }: SignedRequest): boolean {
  const declared = headers["x-amz-content-sha256"];
  return declared === undefined || declared === createHash("sha256").update(body).digest("hex");
}

function queryOf(query: string): Record<string, string | string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) values[name] = [...(values[name] ?? []), value];
  return values;
}
