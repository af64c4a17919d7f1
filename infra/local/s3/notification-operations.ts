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

/**
 * Tells the queues about a new object before its writer is answered. If a queue cannot be reached the
 * writer gets a 500 and writes again: an event may come twice, as from S3, but is never lost.
 */
export async function announce(
  context: S3Context,
  request: S3Request,
  bucket: BucketStore,
  event: ObjectCreatedEvent,
  object: StoredObject,
): Promise<void> {
  const { caller, requestId } = request;
  const source = { region: context.region, bucket: bucket.name, caller, requestId };
  for (const rule of bucket.settings.notifications) {
    if (!ruleApplies(rule, event, object.key)) continue;
    await context.deliver(rule.queueArn, objectCreatedBody(source, rule, event, object));
  }
}
