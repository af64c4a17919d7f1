/** Keys of uploaded files: how S3 spells them in events, and what their path means. */
import { type BatchId, batchIdSchema } from "../../schema/identity.ts";

/** The part of the uploads bucket where business pipelines drop their files. */
export const inboxPrefix = "inbox/";
export const batchFileSuffixes = [".jsonl", ".jsonl.gz", ".csv"] as const;

/**
 * The object key behind the form-encoded key of an S3 event: plus is a space, then one percent-decoding.
 * Null where the escapes are broken. Normalisation forms are kept as they are.
 */
export const decodeS3Key = (encoded: string): string | null => {
  try {
    return decodeURIComponent(encoded.replaceAll("+", " "));
  } catch {
    return null;
  }
};

/** The inverse of {@link decodeS3Key}, as S3 writes it; for events that are made again. */
export const encodeS3Key = (key: string): string =>
  encodeURIComponent(key).replaceAll("%20", "+").replaceAll("%2F", "/");

export type UploadPath =
  | { readonly kind: "batch-file"; readonly folder: string; readonly task: string; readonly name: string }
  /** A zero-byte `…/` object that a console makes. */
  | { readonly kind: "folder-marker" }
  /** Media, or anything else that is not a batch file of the inbox. */
  | { readonly kind: "other" };

/** What a key of the uploads bucket is: `inbox/<task>/<batch>/<name>.jsonl|.jsonl.gz|.csv` is a batch file. */
export const readUploadPath = (key: string): UploadPath => {
  if (key.endsWith("/")) return { kind: "folder-marker" };
  if (!key.startsWith(inboxPrefix)) return { kind: "other" };
  const path = key.slice(inboxPrefix.length);
  const lower = path.toLowerCase();
  if (!batchFileSuffixes.some((suffix) => lower.endsWith(suffix))) return { kind: "other" };
  const slash = path.lastIndexOf("/");
  if (slash < 0) return { kind: "batch-file", folder: inboxPrefix, task: "", name: path };
  return {
    kind: "batch-file",
    folder: inboxPrefix + path.slice(0, slash + 1),
    task: path.slice(0, path.indexOf("/")),
    name: path.slice(slash + 1),
  };
};

/** The identity of an uploaded file: its path below the inbox, and which write of it. */
export const batchIdOf = (
  key: string,
  write: {
    readonly versionId?: string | undefined;
    readonly eTag?: string | undefined;
    readonly sequencer?: string | undefined;
  },
): BatchId => {
  const path = key.startsWith(inboxPrefix) ? key.slice(inboxPrefix.length) : key;
  const version = write.versionId ?? `${write.eTag ?? ""}+${write.sequencer ?? ""}`;
  return batchIdSchema.parse(`${path}@${version}`);
};

/**
 * Where a media reference of a batch file lies: an object of the same folder, an object named by URI, or a URL.
 * `..` never leaves the folder.
 */
export const resolveMediaRef = (
  ref: string,
  batchFile: { readonly bucket: string; readonly key: string },
):
  | { readonly kind: "object"; readonly bucket: string; readonly key: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "bad"; readonly message: string } => {
  if (ref.startsWith("s3://")) {
    const match = /^s3:\/\/([^/]+)\/(.+)$/s.exec(ref);
    const [, bucket, key] = match ?? [];
    return bucket && key
      ? { kind: "object", bucket, key }
      : { kind: "bad", message: "an s3:// URI needs a bucket and a key" };
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(ref)) {
    return ref.startsWith("https://")
      ? { kind: "url", url: ref }
      : { kind: "bad", message: "only relative paths, s3:// and https:// are read" };
  }
  const segments = ref.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (ref.startsWith("/") || segments.includes("..")) {
    return { kind: "bad", message: "a relative path stays inside the folder of the batch file" };
  }
  const folder = batchFile.key.slice(0, batchFile.key.lastIndexOf("/") + 1);
  return { kind: "object", bucket: batchFile.bucket, key: folder + segments.join("/") };
};
