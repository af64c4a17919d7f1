/** A bucket with everything we ask of one: closed, encrypted, TLS only, cleaned up, known by name. */
import { Aws, Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type LifecycleRule,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";

export interface ObjectBucketProps {
  /** Without account and region, which are added. */
  readonly name: string;
  readonly versioned: boolean;
  readonly keepData: boolean;
  readonly lifecycle: readonly LifecycleRule[];
}

export class ObjectBucket extends Construct {
  readonly bucket: Bucket;
  /** Made of the name, not of the resource: what is deployed before the bucket can refer to it. */
  readonly arn: string;
  readonly #name: string;

  constructor(scope: Construct, id: string, { name, versioned, keepData, lifecycle }: ObjectBucketProps) {
    super(scope, id);
    this.#name = name;
    const bucketName = `${name}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
    this.arn = `arn:${Aws.PARTITION}:s3:::${bucketName}`;
    this.bucket = new Bucket(this, "Bucket", {
      bucketName,
      versioned,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(7) }, ...lifecycle],
    });
    acknowledge(
      this.bucket,
      "AwsSolutions-S1",
      "2026-11-29",
      "server access logs need a bucket of their own; who read what is CloudTrail's to say, and comes with operations",
    );
  }

  /** The objects below a key prefix: their ARN, and the words in which cdk-nag finds its wildcard. */
  objects(prefix: string): { readonly arn: string; readonly finding: string } {
    return {
      arn: `${this.arn}/${prefix}*`,
      finding: `Resource::arn:<AWS::Partition>:s3:::${this.#name}-<AWS::AccountId>-<AWS::Region>/${prefix}*`,
    };
  }
}
