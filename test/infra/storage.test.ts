/** Buckets and tables: nothing loops, nothing is public, and prod keeps what it has. */
import { describe, expect, test } from "vitest";
import { configs } from "../../infra/config.ts";
import { declare, refersTo } from "./declared.ts";

const prod = declare({ stage: "prod" });
const bucketOf = (app: ReturnType<typeof declare>, name: string) => {
  const found = app.ofType("AWS::S3::Bucket").find(({ path }) => path.startsWith(`${name}/`));
  if (found === undefined) throw new Error(`no bucket ${name}`);
  return found;
};
const tableOf = (name: string) => {
  const found = prod.ofType("AWS::DynamoDB::Table").find(({ path }) => path.startsWith(`${name}/`));
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
};

describe("uploads", () => {
  const rules = Object(bucketOf(prod, "Uploads").properties.NotificationConfiguration);

  test("announces batch files below inbox/ and nothing else", () => {
    const filters = Object(rules).QueueConfigurations.map((rule: unknown) => Object(rule).Filter.S3Key.Rules);
    expect(filters).toEqual(
      [".jsonl", ".jsonl.gz", ".csv"].map((suffix) => [
        { Name: "prefix", Value: "inbox/" },
        { Name: "suffix", Value: suffix },
      ]),
    );
  });

  test("waits for the policy that lets S3 send, which names this bucket and this account", () => {
    const policies = prod.ofType("AWS::SQS::QueuePolicy");
    const uploads = bucketOf(prod, "Uploads");
    const policy = policies.find(({ path }) => path === "UploadsQueue/Queue/Policy/Resource");
    expect(uploads.dependsOn).toContain(policy?.id);
    const text = JSON.stringify(policy?.properties.PolicyDocument);
    expect(text).toContain('"ArnLike":{"aws:SourceArn"');
    expect(text).toContain("touchstone-prod-uploads-");
    expect(text).toContain('"aws:SourceAccount":{"Ref":"AWS::AccountId"}');
  });

  test("keeps versions, so that a pinned template or file stays what it was", () => {
    expect(bucketOf(prod, "Uploads").properties.VersioningConfiguration).toEqual({ Status: "Enabled" });
  });
});

test("results announce nothing: what the pipeline writes can start nothing", () => {
  expect(bucketOf(prod, "Results").properties.NotificationConfiguration).toBeUndefined();
});

describe.each(["dev", "prod"] as const)("buckets of %s", (stage) => {
  const app = declare({ stage });
  test.each(app.ofType("AWS::S3::Bucket"))(
    "$path is closed, encrypted, TLS only and cleaned up",
    (bucket) => {
      expect(bucket.properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: expect.anything(),
      });
      expect(JSON.stringify(bucket.properties.LifecycleConfiguration)).toContain(
        "AbortIncompleteMultipartUpload",
      );
      const policy = app
        .ofType("AWS::S3::BucketPolicy")
        .find(({ properties }) => refersTo(properties.Bucket, bucket));
      expect(JSON.stringify(policy?.properties)).toContain('"aws:SecureTransport":"false"');
    },
  );

  test("large samples in staging/ are dropped after the configured time", () => {
    expect(bucketOf(app, "Results").properties.LifecycleConfiguration).toMatchObject({
      Rules: expect.arrayContaining([
        { Prefix: "staging/", ExpirationInDays: configs[stage].retention.stagingDays, Status: "Enabled" },
      ]),
    });
  });
});

describe("tables", () => {
  const key = (name: string, type: "HASH" | "RANGE") => ({ AttributeName: name, KeyType: type });

  test.each([
    { name: "Ledger", keys: [key("pk", "HASH"), key("sk", "RANGE")] },
    { name: "Samples", keys: [key("pk", "HASH")] },
    { name: "Reviews", keys: [key("pk", "HASH")] },
    { name: "Tasks", keys: [key("pk", "HASH"), key("sk", "RANGE")] },
    { name: "Gists", keys: [key("pk", "HASH")] },
  ])("$name has the keys its adapter uses, is paid by use, restorable and protected", ({ name, keys }) => {
    const table = tableOf(name);
    expect(table.deletionPolicy).toBe("Retain");
    expect(table.properties).toMatchObject({
      KeySchema: keys,
      BillingMode: "PAY_PER_REQUEST",
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
    });
  });

  test("indexes carry no more than their readers need", () => {
    expect(tableOf("Ledger").properties.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: "open",
        KeySchema: [key("openShard", "HASH"), key("openedAt", "RANGE")],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ]);
    expect(tableOf("Reviews").properties.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: "claimable",
        KeySchema: [key("claimShard", "HASH"), key("rank", "RANGE")],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["task", "leaseUntil"] },
      },
    ]);
  });

  test("gists expire", () => {
    expect(tableOf("Gists").properties.TimeToLiveSpecification).toEqual({
      AttributeName: "expiresAt",
      Enabled: true,
    });
  });
});

test("outputs have the names that the command line tool looks for", () => {
  expect(prod.outputs).toEqual(
    expect.arrayContaining([
      ...["UploadsBucket", "ResultsBucket", "ReviewApiUrl", "StrategyEndpoint"],
      ...["LedgerTable", "SamplesTable", "ReviewsTable", "TasksTable", "GistsTable"],
      ...["Uploads", "Describe", "Score", "Settle", "Review"].flatMap((name) => [
        `${name}QueueUrl`,
        `${name}DlqUrl`,
      ]),
    ]),
  );
});
