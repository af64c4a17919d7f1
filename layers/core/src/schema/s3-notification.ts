/** What lies on the uploads queue: S3's own events, loose because they are AWS's and may grow, and requests for a replay. */
import * as z from "zod";
import { replayRequestSchema } from "./replay.ts";

export const s3RecordSchema = z.looseObject({
  eventSource: z.literal("aws:s3"),
  eventName: z.string(),
  eventTime: z.iso.datetime({ offset: true }),
  s3: z.looseObject({
    bucket: z.looseObject({ name: z.string().min(1) }),
    object: z.looseObject({
      /** Form-encoded: decode with `decodeS3Key`. */
      key: z.string().min(1),
      size: z.number().optional(),
      eTag: z.string().optional(),
      versionId: z.string().optional(),
      sequencer: z.string().optional(),
    }),
  }),
});
export type S3Record = z.infer<typeof s3RecordSchema>;

export const s3NotificationSchema = z.union([
  z.looseObject({ Event: z.literal("s3:TestEvent") }),
  z.looseObject({ Records: z.array(z.unknown()) }),
]);
export type S3Notification = z.infer<typeof s3NotificationSchema>;

/** An S3 notification that came through an SNS topic. */
export const snsEnvelopeSchema = z.looseObject({ Type: z.literal("Notification"), Message: z.string() });

export const uploadsMessageSchema = z.union([replayRequestSchema, snsEnvelopeSchema, s3NotificationSchema]);
export type UploadsMessage = z.infer<typeof uploadsMessageSchema>;
