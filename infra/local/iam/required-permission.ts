/** What a service call needs to be allowed to do: IAM action and resource. Pure; used by the permission check. */
import type { ServiceCall } from "../tap.ts";

export interface Permission {
  readonly action: string;
  readonly resource: string;
}

const s3Actions: Readonly<Record<string, string>> = {
  HeadObject: "GetObject",
  HeadBucket: "ListBucket",
  ListObjects: "ListBucket",
  ListObjectsV2: "ListBucket",
  ListObjectVersions: "ListBucketVersions",
  CopyObject: "PutObject",
  CreateMultipartUpload: "PutObject",
  UploadPart: "PutObject",
  UploadPartCopy: "PutObject",
  CompleteMultipartUpload: "PutObject",
  DeleteObjects: "DeleteObject",
  ListParts: "ListMultipartUploadParts",
  ListMultipartUploads: "ListBucketMultipartUploads",
};

/** Every permission the call needs; a batch over several tables needs one for each. */
export function requiredPermissions(call: ServiceCall, region: string, account: string): Permission[] {
  const { service, operation, resource } = call;
  switch (service) {
    case "s3": {
      const version = call.version === undefined ? "" : "Version";
      const action = `s3:${s3Actions[operation] ?? operation}${version}`;
      return [{ action, resource: `arn:aws:s3:::${resource}` }];
    }
    case "sqs":
      return [
        {
          action: `sqs:${operation.replace(/Batch$/, "")}`,
          resource: `arn:aws:sqs:${region}:${account}:${resource}`,
        },
      ];
    case "dynamodb": {
      const arn = `arn:aws:dynamodb:${region}:${account}:table/`;
      if (call.writes)
        return call.writes.map(({ action, table }) => ({
          action: `dynamodb:${action}`,
          resource: arn + table,
        }));
      const index = call.index === undefined ? "" : `/index/${call.index}`;
      return resource.split(",").map((table) => ({
        action: `dynamodb:${operation}`,
        resource: arn + table + index,
      }));
    }
    case "sagemaker":
      return [
        {
          action: `sagemaker:${operation}`,
          resource: `arn:aws:sagemaker:${region}:${account}:endpoint/${resource}`,
        },
      ];
    default:
      return service satisfies never;
  }
}
