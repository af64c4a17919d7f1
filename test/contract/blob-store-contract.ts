/** What every blob store must do; run by blob-store.test.ts against memory and S3. */
import type { BlobStore } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";
import { allOf } from "./all-of.ts";
import { fresh } from "./records.ts";

const bucket = "contract";
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** `size` bytes that differ from place to place, so that parts in a wrong order are seen. */
const bytesOf = (size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index += 1) bytes[index] = (index * 31 + (index >> 11)) % 251;
  return bytes;
};

async function* inPieces(bytes: Uint8Array, piece: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += piece) yield bytes.subarray(start, start + piece);
}

const joined = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await allOf(stream));

export const blobStoreContract = (name: string, store: () => BlobStore): void => {
  describe(`blob store: ${name}`, () => {
    test("what is written is read, with its type and version", async () => {
      const ref = { bucket, key: `${fresh("目录")}/a b+c%20'é😀.txt` };
      await store().write(ref, "你好", "text/plain; charset=utf-8");
      const { bytes, head } = await store().read(ref, 100);
      expect(text(bytes)).toBe("你好");
      expect(head).toMatchObject({ bytes: 6, contentType: "text/plain; charset=utf-8" });
      expect(head.versionId).toBeTruthy();
      expect(await store().head(ref)).toEqual(head);
    });

    test("a missing object is null to head and a permanent error to readers", async () => {
      const ref = { bucket, key: fresh("missing") };
      const missing = { kind: "permanent", code: "object-missing" };
      expect(await store().head(ref)).toBeNull();
      await expect(store().read(ref, 10)).rejects.toMatchObject(missing);
      await expect(store().stream(ref)).rejects.toMatchObject(missing);
    });

    test("a version stays readable after the next one", async () => {
      const ref = { bucket, key: fresh("versions") };
      await store().write(ref, "one", "text/plain");
      const versionId = (await store().head(ref))?.versionId ?? "";
      await store().write(ref, "two", "text/plain");
      expect(text((await store().read({ ...ref, versionId }, 10)).bytes)).toBe("one");
      expect((await joined(await store().stream({ ...ref, versionId }))).toString()).toBe("one");
      expect(text((await store().read(ref, 10)).bytes)).toBe("two");
      expect((await store().head({ ...ref, versionId }))?.versionId).toBe(versionId);
    });

    test("an object over the limit is refused for good; one at the limit is read", async () => {
      const ref = { bucket, key: fresh("large") };
      await store().write(ref, bytesOf(1000), "application/octet-stream");
      expect((await store().read(ref, 1000)).bytes).toEqual(bytesOf(1000));
      await expect(store().read(ref, 999)).rejects.toMatchObject({
        kind: "permanent",
        code: "object-too-large",
      });
    });

    test.each([0, 1, 5_000, 8 * 1024 * 1024, 17_000_001])("a stream of %i bytes survives", async (size) => {
      const ref = { bucket, key: fresh("stream") };
      const bytes = bytesOf(size);
      await store().write(ref, inPieces(bytes, 1_000_003), "application/x-ndjson");
      expect((await store().head(ref))?.bytes).toBe(size);
      expect(Buffer.compare(await joined(await store().stream(ref)), bytes)).toBe(0);
    });

    test("a reader may stop in the middle of a stream", async () => {
      const ref = { bucket, key: fresh("stop") };
      await store().write(ref, bytesOf(9_000_000), "application/octet-stream");
      for await (const chunk of await store().stream(ref)) {
        expect(chunk.byteLength).toBeGreaterThan(0);
        break;
      }
      expect((await store().head(ref))?.bytes).toBe(9_000_000);
    });

    test.each([10, 17_000_000])("a body that fails after %i bytes leaves nothing behind", async (size) => {
      const ref = { bucket, key: fresh("broken") };
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield* inPieces(bytesOf(size), 1_000_000);
        throw new Error("the source broke");
      }
      await expect(store().write(ref, broken(), "text/plain")).rejects.toThrow("the source broke");
      expect(await store().head(ref)).toBeNull();
    });

    test("lists the keys below a prefix, in the order of their bytes", async () => {
      const prefix = `${fresh("list")}/`;
      const names = ["b", "a/x+y z", "a", "é", "中文", "B", "😀", "\uff0a", "a%20b", "a&<b>"];
      for (const name of names) await store().write({ bucket, key: prefix + name }, name, "text/plain");
      await store().write({ bucket, key: `${prefix.slice(0, -1)}-other` }, "", "text/plain");
      const found = await allOf(store().list(bucket, prefix));
      const sorted = [...names].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
      const modifiedAt = expect.any(Number);
      expect(found).toEqual(
        sorted.map((name) => ({ key: prefix + name, bytes: Buffer.byteLength(name), modifiedAt })),
      );
      for (const [index, name] of sorted.entries()) {
        const rest = await allOf(store().list(bucket, prefix, prefix + name));
        expect(rest.map(({ key }) => key)).toEqual(sorted.slice(index + 1).map((later) => prefix + later));
      }
    });

    test("says when an object was last written, to the second", async () => {
      const prefix = `${fresh("times")}/`;
      const before = Math.floor(Date.now() / 1000) * 1000;
      await store().write({ bucket, key: `${prefix}a` }, "x", "text/plain");
      const [{ modifiedAt } = { modifiedAt: 0 }] = await allOf(store().list(bucket, prefix));
      expect(modifiedAt).toBeGreaterThanOrEqual(before);
      expect(modifiedAt).toBeLessThanOrEqual(Date.now());
    });

    test("lists more keys than one page holds", async () => {
      const prefix = `${fresh("many")}/`;
      const keys = Array.from({ length: 1_010 }, (_, index) => `${prefix}${String(index).padStart(5, "0")}`);
      for (let start = 0; start < keys.length; start += 100) {
        const some = keys.slice(start, start + 100);
        await Promise.all(some.map((key) => store().write({ bucket, key }, "x", "text/plain")));
      }
      expect((await allOf(store().list(bucket, prefix))).map(({ key }) => key)).toEqual(keys);
    });
  });
};
