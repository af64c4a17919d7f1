/** Turns a hop's row of the access table into IAM grants. Called by HopFunction. */
import { type HopName, hops } from "@touchstone/core/pipeline";
import { Aws } from "aws-cdk-lib";
import { Grant, type Role } from "aws-cdk-lib/aws-iam";
import type { Config } from "../config.ts";
import { access, type ModelName, type TableName, type TableRight, tableNames } from "./access.ts";
import { acknowledge } from "./acknowledge.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import type { Resources } from "./resources.ts";

/** Grants the hop's role what the table says, and nothing else. */
export const grantAccess = (role: Role, hop: HopName, config: Config, resources: Resources): void => {
  const { uploads, results, tables, indexes, models } = access[hop];
  grantObjects(role, resources.uploads, uploads.read, []);
  grantObjects(role, resources.results, results.read, results.write);
  if (access[hop].fetches) for (const bucket of config.mediaBuckets) grantMedia(role, bucket);
  for (const name of tableNames) {
    const right = tables[name];
    if (right !== undefined) grantTable(role, name, right, resources);
  }
  for (const name of indexes) grantIndex(role, name, resources);
  for (const queue of hops[hop].sends) resources.queues[queue].queue.grantSendMessages(role);
  const endpoints = models.flatMap((model) => endpointArns(model, config, resources));
  if (endpoints.length > 0) grant(role, ["sagemaker:InvokeEndpoint"], endpoints);
  // Whether an answer is streamed is a property of the address, so only those addresses need the right.
  const streamed = models
    .filter((model) => model !== "strategy" && config[model].url.startsWith("stream+"))
    .flatMap((model) => endpointArns(model, config, resources));
  if (streamed.length > 0) grant(role, ["sagemaker:InvokeEndpointWithResponseStream"], streamed);
};

const grant = (role: Role, actions: string[], resourceArns: string[]): void => {
  Grant.addToPrincipal({ grantee: role, actions, resourceArns });
};

/** The SageMaker endpoint behind a model; none where the model answers over HTTPS. */
const endpointArns = (model: ModelName, config: Config, { strategyEndpoint }: Resources): string[] => {
  if (model === "strategy") return [strategyEndpoint.arn];
  const name = /^(?:stream\+)?sagemaker:\/*(.+)$/.exec(config[model].url)?.[1];
  // An endpoint's ARN is in lower case, however the endpoint is called.
  return name === undefined
    ? []
    : [`arn:${Aws.PARTITION}:sagemaker:${Aws.REGION}:${Aws.ACCOUNT_ID}:endpoint/${name.toLowerCase()}`];
};

const grantObjects = (
  role: Role,
  bucket: ObjectBucket,
  read: readonly string[],
  write: readonly string[],
): void => {
  if (read.length > 0) {
    grant(
      role,
      ["s3:GetObject", "s3:GetObjectVersion"],
      read.map((prefix) => objectsArn(role, bucket, prefix)),
    );
    // Without the right to list, S3 answers 403 instead of 404, and a missing object looks like a forbidden one.
    grant(role, ["s3:ListBucket"], [bucket.arn]);
  }
  if (write.length > 0)
    grant(
      role,
      ["s3:PutObject", "s3:AbortMultipartUpload"],
      write.map((prefix) => objectsArn(role, bucket, prefix)),
    );
};

/** A bucket of somebody else's, by its name alone. */
const grantMedia = (role: Role, bucket: string): void => {
  const arn = `arn:${Aws.PARTITION}:s3:::${bucket}`;
  grant(role, ["s3:GetObject", "s3:GetObjectVersion"], [`${arn}/*`]);
  grant(role, ["s3:ListBucket"], [arn]);
  acknowledge(
    role,
    `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${bucket}/*]`,
    "2026-11-29",
    "the bucket is on the list of media buckets; a sample names the object",
  );
};

const objectsArn = (role: Role, bucket: ObjectBucket, prefix: string): string => {
  const { arn, finding } = bucket.objects(prefix);
  acknowledge(
    role,
    `AwsSolutions-IAM5[${finding}]`,
    "2026-11-29",
    "objects are named by those who upload them; the prefix is the boundary",
  );
  return arn;
};

const readActions = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
const writeActions = [...readActions, "dynamodb:PutItem", "dynamodb:UpdateItem"];
const tableActions: Readonly<Record<TableRight, string[]>> = {
  read: readActions,
  write: writeActions,
  "write-together": [...writeActions, "dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"],
};

const grantTable = (role: Role, name: TableName, right: TableRight, { tables }: Resources): void => {
  grant(role, tableActions[right], [tables[name].table.tableArn]);
};

const grantIndex = (role: Role, name: TableName, { tables }: Resources): void => {
  const { indexArn } = tables[name];
  if (indexArn === null) throw new Error(`infra/constructs/access.ts: table ${name} has no index`);
  grant(role, ["dynamodb:Query"], [indexArn]);
};
