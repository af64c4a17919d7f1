/** What a message on the uploads queue announces: batch files to take in, replays, and why everything else is passed over. */

import type { BatchRecord } from "../../schema/ledger.ts";
import type { ReplayRequest } from "../../schema/replay.ts";
import {
  type S3Notification,
  s3NotificationSchema,
  s3RecordSchema,
  type UploadsMessage,
} from "../../schema/s3-notification.ts";
import { batchIdOf, decodeS3Key, readUploadPath } from "./upload-key.ts";

export type Announcement =
  | { readonly kind: "batch"; readonly batch: BatchRecord }
  | { readonly kind: "replay"; readonly request: ReplayRequest }
  /** Nothing to do, and nothing wrong. */
  | {
      readonly kind: "passed-over";
      readonly why: "test-event" | "folder-marker" | "not-a-batch-file" | "not-a-creation";
    }
  | { readonly kind: "unreadable"; readonly message: string };

/** Every record by itself: a broken one never hides its neighbours. An SNS envelope is unwrapped first. */
export const announcements = (message: UploadsMessage, now: number): readonly Announcement[] => {
  if (isReplay(message)) return [{ kind: "replay", request: message }];
  const notification = "Message" in message ? unwrapped(message.Message) : message;
  if (notification === null) return [{ kind: "unreadable", message: "the SNS envelope holds no S3 event" }];
  return "Records" in notification && Array.isArray(notification.Records)
    ? notification.Records.map((record) => announcement(record, now))
    : [{ kind: "passed-over", why: "test-event" }];
};

/** S3's own messages are loose, so the compiler cannot tell them apart by a literal. */
const isReplay = (message: UploadsMessage): message is ReplayRequest =>
  "kind" in message && message.kind === "replay" && "replays" in message;

const unwrapped = (inner: unknown): S3Notification | null => {
  if (typeof inner !== "string") return null;
  try {
    const parsed = s3NotificationSchema.safeParse(JSON.parse(inner));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

const announcement = (value: unknown, now: number): Announcement => {
  const parsed = s3RecordSchema.safeParse(value);
  if (!parsed.success) return { kind: "unreadable", message: "a record is not an S3 event" };
  const { eventName, eventTime, s3 } = parsed.data;
  if (!eventName.startsWith("ObjectCreated:")) return { kind: "passed-over", why: "not-a-creation" };
  const key = decodeS3Key(s3.object.key);
  if (key === null) return { kind: "unreadable", message: "the object key has a broken escape" };
  const path = readUploadPath(key);
  if (path.kind === "folder-marker") return { kind: "passed-over", why: "folder-marker" };
  if (path.kind === "other") return { kind: "passed-over", why: "not-a-batch-file" };
  const { versionId, eTag, sequencer } = s3.object;
  return {
    kind: "batch",
    batch: {
      batch: batchIdOf(key, { versionId, eTag, sequencer }),
      run: 1,
      task: path.task,
      source: { bucket: s3.bucket.name, key, ...(versionId === undefined ? {} : { versionId }) },
      bytes: s3.object.size ?? 0,
      sequencer: sequencer ?? "",
      callType: "score",
      arrivedAt: Date.parse(eventTime),
      openedAt: now,
      splitsSent: 0,
      doneSplits: new Set(),
      finalSplits: new Set(),
      revision: 0,
    },
  };
};
