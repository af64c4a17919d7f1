/** Files of the inbox that nobody announced: which of them SWEEP looks at, and the announcement it makes for them. */
import type { BlobEntry } from "../../ports.ts";
import type { ObjectRef } from "../../schema/identity.ts";
import type { S3Notification } from "../../schema/s3-notification.ts";
import type { Timing } from "../../timing.ts";
import { creationEvent } from "./creation-event.ts";
import { batchIdOf, readUploadPath } from "./upload-key.ts";

/**
 * Whether a listed object is a batch file whose event should have come by now (milliseconds). S3 may be late by minutes;
 * what has lain there for a week was left there on purpose, or told to a person long ago.
 */
export const isOverdue = (
  entry: BlobEntry,
  now: number,
  { quietAfter, announceWithin }: Pick<Timing["sweep"], "quietAfter" | "announceWithin">,
): boolean => {
  const age = now - entry.modifiedAt;
  return (
    readUploadPath(entry.key).kind === "batch-file" && age >= quietAfter * 1000 && age < announceWithin * 1000
  );
};

/** The event that S3 should have sent; INTAKE derives the same batch id from it. */
export const lateAnnouncement = (
  source: ObjectRef & { readonly versionId: string },
  { bytes, modifiedAt }: Pick<BlobEntry, "bytes" | "modifiedAt">,
): S3Notification =>
  creationEvent({
    batch: batchIdOf(source.key, { versionId: source.versionId }),
    source,
    bytes,
    sequencer: "",
    arrivedAt: modifiedAt,
  });
