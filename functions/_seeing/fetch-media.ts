/** Reads a picture or video that a sample names, from where media may come from. Called by describe-picture.ts and describe-video.ts. */
import { refusalText } from "@touchstone/core/domain/describe/media-url";
import { inboxPrefix, resolveMediaRef } from "@touchstone/core/domain/intake/upload-key";
import { errorCode } from "@touchstone/core/errors";
import type { BlobStore } from "@touchstone/core/ports";
import type { MediaProblem } from "@touchstone/core/schema/gist";
import type { ObjectRef } from "@touchstone/core/schema/identity";

export type MediaType = "image" | "video";

export interface MediaPorts {
  readonly blobs: BlobStore;
  /** Beside the bucket of the batch file. */
  readonly mediaBuckets: ReadonlySet<string>;
  /** Reads media from an allow-listed host; a refusal is a permanent error. */
  readonly fetchMedia: (url: string, maxBytes: number, type: MediaType) => Promise<Uint8Array>;
}

export interface MediaRequest {
  readonly ref: string;
  readonly batchFile: ObjectRef;
  readonly type: MediaType;
  readonly maxBytes: number;
}

/** The bytes, or why there are none. What may pass by itself is thrown. */
export const fetchMedia = async (
  { ref, batchFile, type, maxBytes }: MediaRequest,
  ports: MediaPorts,
): Promise<Uint8Array | MediaProblem> => {
  const place = resolveMediaRef(ref, batchFile);
  try {
    switch (place.kind) {
      case "bad":
        return { ref, kind: "refused", message: refusalText("bad-reference", place.message) };
      case "object":
        // A sample must not choose what we open: the inbox that it came from, and buckets that are listed.
        if (!mayRead(place, batchFile, ports)) {
          const detail = `"${place.bucket}" is no bucket (or no part of it) that media may come from`;
          return { ref, kind: "refused", message: refusalText("bucket-not-listed", detail) };
        }
        return (await ports.blobs.read({ bucket: place.bucket, key: place.key }, maxBytes)).bytes;
      case "url":
        return await ports.fetchMedia(place.url, maxBytes, type);
      default:
        return place satisfies never;
    }
  } catch (error) {
    switch (errorCode(error)) {
      case "object-missing":
        return { ref, kind: "missing", message: "no such object; put the file beside the batch file" };
      case "object-too-large":
        return { ref, kind: "too-large", message: `${nouns[type]} has at most ${maxBytes} bytes` };
      case "refused":
        return { ref, kind: "refused", message: error instanceof Error ? error.message : "refused" };
      default:
        throw error;
    }
  }
};

const nouns: Readonly<Record<MediaType, string>> = { image: "a picture", video: "a video" };

const mayRead = (
  { bucket, key }: { readonly bucket: string; readonly key: string },
  batchFile: ObjectRef,
  { mediaBuckets }: MediaPorts,
): boolean => (bucket === batchFile.bucket ? key.startsWith(inboxPrefix) : mediaBuckets.has(bucket));
