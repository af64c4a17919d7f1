/** Put and get a bucket's notification configuration, and announce new objects to its queues. */

import { readDocument } from "./body.ts";
import type { BucketStore } from "./bucket-store.ts";
import { objectCreatedBody, testEventBody } from "./notification-record.ts";
import { type ObjectCreatedEvent, ruleApplies } from "./notification-rule.ts";
import { notificationRulesXml, parseNotificationRules } from "./notification-xml.ts";
import type { S3Context } from "./operation.ts";
import { emptyReply, type Reply, xmlReply } from "./reply.ts";
import type { S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import type { StoredObject } from "./stored-version.ts";

/** PutBucketNotificationConfiguration: replaces the rules after a test event has reached every queue. */
export async function putNotifications(context: S3Context, request: S3Request): Promise<Reply> {
  const bucket = context.catalog.bucket(request.bucket);
  const notifications = parseNotificationRules(await readDocument(request));
  for (const queueArn of new Set(notifications.map((rule) => rule.queueArn))) {
    try {
      await context.deliver(queueArn, testEventBody(bucket.name, request.requestId, Date.now()));
    } catch (error) {
      throw new S3Error(
        "InvalidArgument",
        `Unable to validate the following destination configurations: ${queueArn}: ${String(error)}`,
      );
    }
  }
  bucket.saveSettings({ notifications });
  return emptyReply(200);
}

/** GetBucketNotificationConfiguration. */
export function getNotifications(context: S3Context, request: S3Request): Reply {
  const { notifications } = context.catalog.bucket(request.bucket).settings;
  return xmlReply("NotificationConfiguration", notificationRulesXml(notifications));
}

/** Who a new object comes from, as its event tells it. */
export type Writer = Pick<S3Request, "caller" | "requestId">;

/**
 * Tells the queues about a new object before its writer is answered. If a queue cannot be reached the
 * writer gets a 500 and writes again: an event may come twice, as from S3, but is never lost.
 */
export async function announce(
  context: S3Context,
  { caller, requestId }: Writer,
  bucket: BucketStore,
  event: ObjectCreatedEvent,
  object: StoredObject,
): Promise<void> {
  const source = { region: context.region, bucket: bucket.name, caller, requestId };
  for (const rule of bucket.settings.notifications) {
    if (!ruleApplies(rule, event, object.key)) continue;
    await context.deliver(rule.queueArn, objectCreatedBody(source, rule, event, object));
  }
}

/**
 * Notes that a write is about to appear whose event must reach a queue; returns what to call once it has. Nothing is
 * noted, and nothing is to be done, where no queue wants to hear of it.
 */
export function noteUnannounced(
  { catalog }: S3Context,
  { caller, requestId }: Writer,
  bucket: BucketStore,
  event: ObjectCreatedEvent,
  key: string,
): () => void {
  if (!bucket.settings.notifications.some((rule) => ruleApplies(rule, event, key))) return () => {};
  const after = bucket.versionsOf(key)[0]?.sequencer ?? "";
  return catalog.unannounced.note({ bucket: bucket.name, key, event, after, caller, requestId });
}

/** Announces what a killed run wrote and may not have announced; the server calls it before it listens. */
export async function announceLeft(context: S3Context): Promise<void> {
  const buckets = new Map(context.catalog.list().map((bucket) => [bucket.name, bucket]));
  for (const { write, forget } of context.catalog.unannounced.left()) {
    const bucket = buckets.get(write.bucket);
    for (const version of bucket?.versionsOf(write.key) ?? []) {
      if (bucket !== undefined && version.kind === "object" && version.sequencer > write.after)
        await announce(context, write, bucket, write.event, version);
    }
    forget();
  }
}
