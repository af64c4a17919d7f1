/** The blob store port in memory, versions kept; tests of hops use it in place of S3. */
import { permanent } from "@touchstone/core/errors";
import type { BlobStore, Clock } from "@touchstone/core/ports";
import type { ObjectRef } from "@touchstone/core/schema/identity";

interface Version {
  readonly versionId: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly writtenAt: number;
}

export const memoryBlobStore = (clock: Clock = Date.now): BlobStore => {
  const objects = new Map<string, { readonly bucket: string; readonly key: string; versions: Version[] }>();
  let writes = 0;

  const nameOf = ({ bucket, key }: Pick<ObjectRef, "bucket" | "key">) => JSON.stringify([bucket, key]);
  const find = (ref: ObjectRef): Version | undefined => {
    const versions = objects.get(nameOf(ref))?.versions ?? [];
    return ref.versionId === undefined
      ? versions.at(-1)
      : versions.find((version) => version.versionId === ref.versionId);
  };
  const existing = (ref: ObjectRef): Version => {
    const version = find(ref);
    if (!version) throw permanent("object-missing", `s3://${ref.bucket}/${ref.key} does not exist`);
    return version;
  };
  const headOf = ({ bytes, versionId, contentType }: Version) => ({
    bytes: bytes.byteLength,
    versionId,
    contentType,
  });

  return {
    async head(ref) {
      const version = find(ref);
      return version ? headOf(version) : null;
    },
    async read(ref, maxBytes) {
      const version = existing(ref);
      if (version.bytes.byteLength > maxBytes) {
        throw permanent("object-too-large", `s3://${ref.bucket}/${ref.key} is over ${maxBytes} bytes`);
      }
      return { bytes: version.bytes.slice(), head: headOf(version) };
    },
    async stream(ref) {
      return inChunks(existing(ref).bytes);
    },
    async write(ref, body, contentType) {
      const bytes = await collect(body);
      writes += 1;
      const object = objects.get(nameOf(ref)) ?? { bucket: ref.bucket, key: ref.key, versions: [] };
      object.versions.push({ versionId: `v${writes}`, bytes, contentType, writtenAt: clock() });
      objects.set(nameOf(ref), object);
    },
    async *list(bucket, prefix, after) {
      const found = [...objects.values()].filter((object) => object.bucket === bucket);
      found.sort((left, right) => inBytes(left.key, right.key));
      for (const { key, versions } of found) {
        const newest = versions.at(-1);
        if (!newest || !key.startsWith(prefix)) continue;
        if (after !== undefined && inBytes(key, after) <= 0) continue;
        const modifiedAt = Math.floor(newest.writtenAt / 1000) * 1000;
        yield { key, bytes: newest.bytes.byteLength, modifiedAt };
      }
    },
  };
};

/** S3 orders keys by their UTF-8 bytes, not as JavaScript compares strings. */
const inBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

const collect = async (body: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body.slice();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk.slice());
  return new Uint8Array(Buffer.concat(chunks));
};

/** Small and odd, so that readers meet lines cut in the middle. */
async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 1009;
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.slice(start, start + size);
}
