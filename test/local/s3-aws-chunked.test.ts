/** The aws-chunked decoder by itself and behind HTTP. */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AwsChunkedDecoder } from "../../infra/local/s3/aws-chunked.ts";
import { openS3, type S3Fixture } from "./s3-fixture.ts";

const signature = "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648";

/** Frames chunks as a client would: plain sizes, or sizes with signatures. */
function frame(chunks: readonly Uint8Array[], signed: boolean, trailers: readonly string[]): Buffer {
  const extension = signed ? `;chunk-signature=${signature}` : "";
  const framed = chunks
    .filter((chunk) => chunk.length > 0)
    .flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`),
      chunk,
      Buffer.from("\r\n"),
    ]);
  const end = [`0${extension}`, ...trailers, "", ""].join("\r\n");
  return Buffer.concat([...framed, Buffer.from(end)]);
}

/** Cuts bytes into pieces of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  return pieces;
}

async function decode(
  pieces: Iterable<Buffer>,
): Promise<{ body: Buffer; trailers: ReadonlyMap<string, string> }> {
  const decoder = new AwsChunkedDecoder();
  const body = await buffer(Readable.from(pieces, { objectMode: false }).compose(decoder));
  return { body, trailers: decoder.trailers };
}

test("any chunking of the payload, cut anywhere on the way, gives the same bytes and trailers", async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(chunks, sizes, fc.boolean(), async (payload, cuts, signed) => {
      const trailers = ["X-Amz-Checksum-CRC32: AAAAAA==", ...(signed ? ["x-amz-trailer-signature:abc"] : [])];
      const decoded = await decode(cut(frame(payload, signed, trailers), cuts));
      expect(decoded.body.equals(Buffer.concat(payload))).toBe(true);
      expect(decoded.trailers.get("x-amz-checksum-crc32")).toBe("AAAAAA==");
    }),
  );
});

describe("broken framing is IncompleteBody", () => {
  test.each([
    ["nothing at all", ""],
    ["cut in a chunk", "5\r\nhel"],
    ["cut before the last chunk", "5\r\nhello\r\n"],
    ["chunk longer than its size", "5\r\nhello!\r\n0\r\n\r\n"],
    ["no size", "x\r\nhello\r\n0\r\n\r\n"],
    ["bare line feed", "5\nhello\r\n0\r\n\r\n"],
    ["bytes after the end", "0\r\n\r\nmore\r\n"],
    ["endless line", "1".repeat(9000)],
  ])("%s", async (_name, text) => {
    await expect(decode([Buffer.from(text)])).rejects.toMatchObject({ code: "IncompleteBody" });
  });
});

test("the blank line after the trailers may be missing", async () => {
  const decoded = await decode([Buffer.from("2\r\nhi\r\n0\r\nx-amz-checksum-crc32:AAAA\r\n")]);
  expect(decoded.body.toString()).toBe("hi");
  expect(decoded.trailers.get("x-amz-checksum-crc32")).toBe("AAAA");
});

describe("over HTTP", () => {
  let s3: S3Fixture;
  let Bucket: string;

  beforeAll(async () => {
    s3 = await openS3();
    Bucket = await s3.bucket();
  });
  afterAll(() => s3.close());

  async function put(headers: Record<string, string>, body: Buffer): Promise<string> {
    const response = await fetch(`${s3.server.url}/${Bucket}/k`, {
      method: "PUT",
      headers,
      body: new Uint8Array(body),
    });
    return response.ok ? "stored" : ((await response.text()).match(/<Code>(.*)<\/Code>/)?.[1] ?? "");
  }

  const hello = [Buffer.from("hel"), Buffer.from("lo")];
  const signed = { "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" };
  const unsigned = {
    "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    "x-amz-trailer": "x-amz-checksum-crc32",
  };

  test.each<[string, Record<string, string>, Buffer, string]>([
    ["signed chunks", { ...signed, "x-amz-decoded-content-length": "5" }, frame(hello, true, []), "stored"],
    ["a right trailer", unsigned, frame(hello, false, ["x-amz-checksum-crc32:NhCmhg=="]), "stored"],
    ["a wrong trailer", unsigned, frame(hello, false, ["x-amz-checksum-crc32:AAAAAA=="]), "BadDigest"],
    ["no trailer", unsigned, frame(hello, false, []), "MalformedTrailerError"],
    [
      "a wrong length",
      { ...signed, "x-amz-decoded-content-length": "6" },
      frame(hello, true, []),
      "IncompleteBody",
    ],
    [
      "a wrong payload hash",
      { "x-amz-content-sha256": "0".repeat(64) },
      Buffer.from("x"),
      "XAmzContentSHA256Mismatch",
    ],
  ])("%s", async (_name, headers, body, outcome) => {
    expect(await put(headers, body)).toBe(outcome);
    if (outcome !== "stored") return;
    expect(await (await fetch(`${s3.server.url}/${Bucket}/k`)).text()).toBe("hello");
  });
});
