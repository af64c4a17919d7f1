/** Naming an S3 object in a call, and saying that it is not there. */
import { type PipelineError, permanent } from "@touchstone/core/errors";
import type { ObjectRef } from "@touchstone/core/schema/identity";

export const objectName = ({ bucket, key, versionId }: ObjectRef) => ({
  Bucket: bucket,
  Key: key,
  VersionId: versionId,
});

/** HEAD answers have no body and so no code, only `NotFound`; a deleted version answers `MethodNotAllowed`. */
const missing: readonly string[] = ["NoSuchKey", "NoSuchVersion", "NotFound", "MethodNotAllowed"];

export const isMissing = (error: unknown): boolean => error instanceof Error && missing.includes(error.name);

export const objectMissing = ({ bucket, key, versionId }: ObjectRef, cause: unknown): PipelineError => {
  const version = versionId === undefined ? "" : ` (version ${versionId})`;
  return permanent("object-missing", `s3://${bucket}/${key}${version} does not exist; upload it`, { cause });
};
