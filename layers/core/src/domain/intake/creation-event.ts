/** Makes the S3 event of a batch's file again, for a file whose reading has to be taken up. */
import type { BatchRecord } from "../../schema/ledger.ts";
import type { S3Notification } from "../../schema/s3-notification.ts";
import { encodeS3Key } from "./upload-key.ts";

/** INTAKE derives the very same batch id from it as from the event that S3 sent. */
export const creationEvent = (
  batch: Pick<BatchRecord, "batch" | "source" | "bytes" | "sequencer" | "arrivedAt">,
): S3Notification => {
  const { bucket, key, versionId } = batch.source;
  const eTag = /@([^@+]*)\+[^@+]*$/.exec(batch.batch)?.[1];
  return {
    Records: [
      {
        eventSource: "aws:s3",
        eventName: "ObjectCreated:Put",
        eventTime: new Date(batch.arrivedAt).toISOString(),
        s3: {
          bucket: { name: bucket },
          object: {
            key: encodeS3Key(key),
            size: batch.bytes,
            sequencer: batch.sequencer,
            ...(versionId === undefined ? { eTag } : { versionId }),
          },
        },
      },
    ],
  };
};
