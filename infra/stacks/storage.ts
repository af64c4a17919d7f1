/** What outlives a deployment: buckets, tables, and the queue on which S3 announces uploads. */
import { timing, visibilityFactor } from "@touchstone/core/timing";
import { Aws, CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { AttributeType } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { Config } from "../config.ts";
import type { TableName } from "../constructs/access.ts";
import { ItemTable } from "../constructs/item-table.ts";
import { ObjectBucket } from "../constructs/object-bucket.ts";
import { WorkQueue } from "../constructs/work-queue.ts";

/** S3 takes one suffix per rule, and rules whose suffixes end in one another may not overlap: these do not. */
export const batchFileSuffixes = [".jsonl", ".jsonl.gz", ".csv"] as const;

const text = (name: string) => ({ name, type: AttributeType.STRING });
const number = (name: string) => ({ name, type: AttributeType.NUMBER });

export class StorageStack extends Stack {
  readonly uploads: ObjectBucket;
  readonly results: ObjectBucket;
  readonly uploadsQueue: WorkQueue;
  readonly tables: Readonly<Record<TableName, ItemTable>>;

  constructor(scope: Construct, id: string, { config, ...props }: StackProps & { readonly config: Config }) {
    super(scope, id, props);
    const { keepData, retention } = config;
    this.uploads = new ObjectBucket(this, "Uploads", {
      name: `touchstone-${config.stage}-uploads`,
      versioned: true,
      keepData,
      lifecycle: [{ noncurrentVersionExpiration: Duration.days(retention.noncurrentVersionDays) }],
    });
    this.results = new ObjectBucket(this, "Results", {
      name: `touchstone-${config.stage}-results`,
      versioned: false,
      keepData,
      lifecycle: [{ prefix: "staging/", expiration: Duration.days(retention.stagingDays) }],
    });
    const { intake } = timing(config.timeScale).functionTimeout;
    this.uploadsQueue = new WorkQueue(this, {
      name: "Uploads",
      visibility: Duration.seconds(visibilityFactor * intake),
      retention: Duration.days(retention.workQueueDays),
      // A file that failed is seen again only after the visibility time-out, so one failure alone is not late.
      alarmAge: Duration.seconds(2 * visibilityFactor * intake),
      alarmTopicArn: config.alarmTopicArn,
    });
    announceUploads(this.uploads, this.uploadsQueue);
    this.tables = this.#tables(config);

    new CfnOutput(this, "UploadsBucket", { value: this.uploads.bucket.bucketName });
    new CfnOutput(this, "ResultsBucket", { value: this.results.bucket.bucketName });
    new CfnOutput(this, "TimeScale", { value: String(config.timeScale) });
  }

  #tables(config: Config): Readonly<Record<TableName, ItemTable>> {
    const ledger = new ItemTable(this, "Ledger", {
      partitionKey: text("pk"),
      sortKey: text("sk"),
      index: { name: "open", partitionKey: text("openShard"), sortKey: number("openedAt"), carries: [] },
      config,
    });
    const samples = new ItemTable(this, "Samples", { partitionKey: text("pk"), config });
    const reviews = new ItemTable(this, "Reviews", {
      partitionKey: text("pk"),
      index: {
        name: "claimable",
        partitionKey: text("claimShard"),
        sortKey: text("rank"),
        carries: ["task", "leaseUntil"],
      },
      config,
    });
    const tasks = new ItemTable(this, "Tasks", { partitionKey: text("pk"), sortKey: text("sk"), config });
    const gists = new ItemTable(this, "Gists", { partitionKey: text("pk"), expiry: "expiresAt", config });
    const tables = { ledger, samples, reviews, tasks, gists };
    for (const { node, table } of Object.values(tables))
      new CfnOutput(this, `${node.id}Table`, { value: table.tableName });
    return tables;
  }
}

/** Declared at L1: the L2 method brings a Lambda of its own that edits the bucket after the deployment. */
const announceUploads = (uploads: ObjectBucket, { queue }: WorkQueue): void => {
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("s3.amazonaws.com")],
      actions: ["sqs:SendMessage"],
      resources: [queue.queueArn],
      conditions: {
        StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
        ArnLike: { "aws:SourceArn": uploads.arn },
      },
    }),
  );
  const bucket = uploads.bucket.node.defaultChild;
  if (!(bucket instanceof CfnBucket)) throw new Error("the uploads bucket has no CfnBucket");
  bucket.notificationConfiguration = {
    queueConfigurations: batchFileSuffixes.map((suffix) => ({
      event: "s3:ObjectCreated:*",
      queue: queue.queueArn,
      filter: {
        s3Key: {
          rules: [
            { name: "prefix", value: "inbox/" },
            { name: "suffix", value: suffix },
          ],
        },
      },
    })),
  };
  // S3 tries the queue while the bucket is created, so the queue must already let it in.
  bucket.node.addDependency(queue);
};
