/** What is configured on a bucket and kept in its `bucket.json`. */
import type { JsonRecord } from "./json-file.ts";
import { type NotificationRule, readNotificationRule } from "./notification-rule.ts";

export const versioningStates = ["Unset", "Enabled", "Suspended"] as const;
export type VersioningState = (typeof versioningStates)[number];

export interface BucketSettings {
  /** Epoch milliseconds. */
  readonly created: number;
  readonly versioning: VersioningState;
  readonly notifications: readonly NotificationRule[];
}

/** Parses the settings file. Throws with file and field if it is damaged. */
export function readBucketSettings(record: JsonRecord): BucketSettings {
  return {
    created: record.number("created"),
    versioning: record.oneOf("versioning", versioningStates),
    notifications: record.records("notifications").map(readNotificationRule),
  };
}
