/** AWS::S3::Bucket: versioning and notifications to queues work; protection and lifecycle settings are inert. */
import * as z from "zod";
import { inert, tags } from "./property.ts";
import { defineResource } from "./resource.ts";

const queueConfiguration = z.strictObject({
  Event: z.string(),
  Queue: z.string(),
  Filter: z
    .strictObject({
      S3Key: z.strictObject({
        Rules: z.array(
          z.strictObject({
            Name: z
              .string()
              .toLowerCase()
              .pipe(z.enum(["prefix", "suffix"])),
            Value: z.string(),
          }),
        ),
      }),
    })
    .optional(),
});

export const s3Bucket = defineResource({
  type: "AWS::S3::Bucket",
  properties: z.strictObject({
    BucketName: z.string().optional(),
    VersioningConfiguration: z.strictObject({ Status: z.enum(["Enabled", "Suspended"]) }).optional(),
    NotificationConfiguration: z
      .strictObject({ QueueConfigurations: z.array(queueConfiguration) })
      .optional(),
    BucketEncryption: inert,
    LifecycleConfiguration: inert,
    LoggingConfiguration: inert,
    OwnershipControls: inert,
    PublicAccessBlockConfiguration: inert,
    Tags: tags,
  }),
  async create(properties, { world, place, generatedName }) {
    const name = properties.BucketName ?? generatedName.toLowerCase().slice(0, 63);
    const bucketArn = `arn:aws:s3:::${name}`;
    const configurations = properties.NotificationConfiguration?.QueueConfigurations ?? [];
    await world.buckets.ensureBucket({
      name,
      versioned: properties.VersioningConfiguration?.Status === "Enabled",
      notifications: configurations.map(({ Event, Queue, Filter }) => ({
        queueArn: Queue,
        event: Event,
        filters: (Filter?.S3Key.Rules ?? []).map(({ Name, Value }) => ({ name: Name, value: Value })),
      })),
    });
    for (const { Queue } of configurations)
      world.neededGrants.push({
        place,
        principal: "s3.amazonaws.com",
        action: "sqs:SendMessage",
        target: Queue,
      });
    return {
      ref: name,
      attributes: {
        Arn: bucketArn,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${world.region}.amazonaws.com`,
      },
    };
  },
});
