/** The message bodies S3 puts on a queue; pure. */
import { formEncodeKey } from "./key-encoding.ts";
import type { NotificationRule, ObjectCreatedEvent } from "./notification-rule.ts";
import { nullVersionId, type StoredObject } from "./stored-version.ts";

/** Stands for the one account that owns every bucket here. */
const ownerId = "TOUCHSTONELOCAL";

export interface EventSource {
  readonly region: string;
  readonly bucket: string;
  readonly caller: string;
  readonly requestId: string;
}

/** The body for one new object: `Records` with a single record, as S3 sends it. */
export function objectCreatedBody(
  source: EventSource,
  rule: NotificationRule,
  event: ObjectCreatedEvent,
  object: StoredObject,
): string {
  const record = {
    eventVersion: "2.1",
    eventSource: "aws:s3",
    awsRegion: source.region,
    eventTime: new Date(object.lastModified).toISOString(),
    // The configuration says s3:ObjectCreated:Put, the record leaves out "s3:".
    eventName: event.slice("s3:".length),
    userIdentity: { principalId: `AWS:${source.caller}` },
    requestParameters: { sourceIPAddress: "127.0.0.1" },
    responseElements: { "x-amz-request-id": source.requestId, "x-amz-id-2": source.requestId },
    s3: {
      s3SchemaVersion: "1.0",
      configurationId: rule.id,
      bucket: {
        name: source.bucket,
        ownerIdentity: { principalId: ownerId },
        arn: `arn:aws:s3:::${source.bucket}`,
      },
      object: {
        key: formEncodeKey(object.key),
        size: object.size,
        eTag: object.etag,
        ...(object.versionId === nullVersionId ? {} : { versionId: object.versionId }),
        sequencer: object.sequencer,
      },
    },
  };
  return JSON.stringify({ Records: [record] });
}

/** The body S3 sends once to every queue of a new configuration. */
export function testEventBody(bucket: string, requestId: string, now: number): string {
  return JSON.stringify({
    Service: "Amazon S3",
    Event: "s3:TestEvent",
    Time: new Date(now).toISOString(),
    Bucket: bucket,
    RequestId: requestId,
    HostId: requestId,
  });
}
