/**
 * SHA-256 for request signing; clients.ts gives it to every client. The SDK's own hands each HMAC its key as bytes,
 * which Node turns into a key object every time: six times the price of the HMAC, twice a call.
 */
import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from "node:crypto";

/** What the SDK hashes, and what it takes as a key. */
type Data = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Data): string | Uint8Array => {
  if (typeof data === "string") return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** Secrets are few: a function's own one, and one that signing derives from it for each service and day. */
const mostKeys = 32;
const keysByText = new Map<string, KeyObject>();
const keysByBytes = new WeakMap<object, KeyObject>();

const keyOf = (secret: Data): KeyObject => {
  if (typeof secret !== "string") {
    // The SDK keeps a derived key and gives the same object again.
    const key = keysByBytes.get(secret) ?? createSecretKey(Buffer.from(bytesOf(secret)));
    keysByBytes.set(secret, key);
    return key;
  }
  const known = keysByText.get(secret);
  if (known) return known;
  if (keysByText.size >= mostKeys) keysByText.clear();
  const key = createSecretKey(secret, "utf8");
  keysByText.set(secret, key);
  return key;
};

/** A hash, or with a secret an HMAC; one digest each. */
export class KeyedSha256 {
  readonly #secret: Data | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: Data) {
    this.#secret = secret;
    this.#hash = this.#begin();
  }

  update(data: Data): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash("sha256") : createHmac("sha256", keyOf(this.#secret));
  }
}
