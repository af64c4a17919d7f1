/** Makes the template's buckets on the embedded S3 through its own API. Used when bucket resources are created. */
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  type Event,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  S3Client,
} from "@aws-sdk/client-s3";

export interface QueueNotification {
  readonly queueArn: string;
  readonly event: string;
  readonly filters: ReadonlyArray<{ readonly name: "prefix" | "suffix"; readonly value: string }>;
}

export interface BucketDefinition {
  readonly name: string;
  readonly versioned: boolean;
  readonly notifications: readonly QueueNotification[];
}

export interface BucketControl {
  ensureBucket(definition: BucketDefinition): Promise<void>;
}

export function createBucketControl(options: {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}): BucketControl {
  const client = new S3Client({ ...options, forcePathStyle: true });
  return {
    async ensureBucket({ name: Bucket, versioned, notifications }) {
      try {
        await client.send(new CreateBucketCommand({ Bucket }));
      } catch (error) {
        if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
      }
      if (versioned)
        await client.send(
          new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }),
        );
      await client.send(
        new PutBucketNotificationConfigurationCommand({
          Bucket,
          NotificationConfiguration: { QueueConfigurations: notifications.map(queueConfiguration) },
        }),
      );
    },
  };
}

function queueConfiguration({ queueArn, event, filters }: QueueNotification) {
  const FilterRules = filters.map(({ name, value }) => ({ Name: name, Value: value }));
  return {
    QueueArn: queueArn,
    // The SDK's type lists the events it knew when it was generated; the server decides which exist.
    Events: [event as Event],
    ...(FilterRules.length === 0 ? {} : { Filter: { Key: { FilterRules } } }),
  };
}
