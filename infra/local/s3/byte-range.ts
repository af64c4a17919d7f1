/** Byte ranges of `Range` and `x-amz-copy-source-range` headers; pure. */
import { S3Error } from "./s3-error.ts";

/** Both ends inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Resolves a `Range` header against an object's size. A header that is not one simple byte range is
 * ignored (undefined), as in S3; a range outside the object throws InvalidRange.
 */
export function resolveRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (match === null || (first === "" && last === "")) return undefined;
  if (first === "") return withinObject(Math.max(0, size - Number(last)), size - 1, size);
  const end = last === "" ? size - 1 : Number(last);
  if (last !== "" && end < Number(first)) return undefined;
  return withinObject(Number(first), Math.min(end, size - 1), size);
}

function withinObject(start: number, end: number, size: number): ByteRange {
  if (start >= size || end < start) {
    throw new S3Error(
      "InvalidRange",
      `The requested range is not satisfiable: the object has ${size} bytes.`,
      {
        "content-range": `bytes */${size}`,
      },
    );
  }
  return { start, end };
}

/** Resolves `x-amz-copy-source-range`, which must be `bytes=first-last` inside the source. */
export function resolveCopyRange(header: string, size: number): ByteRange {
  const match = /^bytes=(\d+)-(\d+)$/.exec(header);
  const range = { start: Number(match?.[1]), end: Number(match?.[2]) };
  if (match === null || range.end < range.start) {
    throw new S3Error("InvalidArgument", "x-amz-copy-source-range must be bytes=first-last.");
  }
  if (range.end >= size) {
    throw new S3Error("InvalidArgument", `Range specified is not valid for source object of size: ${size}`);
  }
  return range;
}
