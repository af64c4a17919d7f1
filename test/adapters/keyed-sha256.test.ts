/** Signing stands on this: the same digests as Node's own, whatever form key and data come in. */
import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { KeyedSha256 } from "../../functions/_aws/keyed-sha256.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const digestOf = async (
  parts: readonly (string | Uint8Array | ArrayBuffer)[],
  secret?: string | Uint8Array,
) => {
  const hash = new KeyedSha256(secret);
  for (const part of parts) hash.update(part);
  return hex(await hash.digest());
};
const text = '请求体 {"a": 1}';
const bytes = new TextEncoder().encode(text);

describe("a hash", () => {
  test("of text, bytes, a buffer, or pieces of it", async () => {
    const expected = createHash("sha256").update(text).digest("hex");
    expect(await digestOf([text])).toBe(expected);
    expect(await digestOf([bytes])).toBe(expected);
    expect(await digestOf([bytes.buffer])).toBe(expected);
    expect(await digestOf([bytes.subarray(0, 5), bytes.subarray(5)])).toBe(expected);
  });

  test("of nothing", async () => {
    expect(await digestOf([])).toBe(createHash("sha256").digest("hex"));
  });
});

describe("an HMAC", () => {
  test.each(["AWS4secret", "密钥", new Uint8Array([1, 2, 255]), new Uint8Array(Buffer.alloc(100, 7))])(
    "with the key %j, again and again",
    async (secret) => {
      const expected = createHmac("sha256", secret).update(text).digest("hex");
      for (let turn = 0; turn < 3; turn += 1) expect(await digestOf([text], secret)).toBe(expected);
    },
  );

  test("with as many keys as anyone likes", async () => {
    for (let at = 0; at < 100; at += 1) {
      expect(await digestOf([text], `key ${at}`)).toBe(
        createHmac("sha256", `key ${at}`).update(text).digest("hex"),
      );
    }
  });

  test("begins anew after a reset", async () => {
    const hash = new KeyedSha256("secret");
    hash.update("something else");
    hash.reset();
    hash.update(text);
    expect(hex(await hash.digest())).toBe(createHmac("sha256", "secret").update(text).digest("hex"));
  });
});
