/** AWS::DynamoDB::Table: on-demand tables with global secondary indexes. Items do not expire by their TTL attribute. */
import * as z from "zod";
import { boolean, inert, tags } from "./property.ts";
import { arn, defineResource } from "./resource.ts";

const keySchema = z
  .array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }))
  .min(1)
  .max(2);

export const dynamodbTable = defineResource({
  type: "AWS::DynamoDB::Table",
  properties: z.strictObject({
    TableName: z.string().optional(),
    BillingMode: z.literal("PAY_PER_REQUEST", "only on-demand tables are simulated"),
    KeySchema: keySchema,
    AttributeDefinitions: z.array(
      z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
    ),
    GlobalSecondaryIndexes: z
      .array(
        z.strictObject({
          IndexName: z.string(),
          KeySchema: keySchema,
          Projection: z.strictObject({
            ProjectionType: z.enum(["ALL", "KEYS_ONLY", "INCLUDE"]),
            NonKeyAttributes: z.array(z.string()).optional(),
          }),
          OnDemandThroughput: inert,
          ContributorInsightsSpecification: inert,
        }),
      )
      .optional(),
    TimeToLiveSpecification: z
      .strictObject({ AttributeName: z.string().optional(), Enabled: boolean })
      .optional(),
    PointInTimeRecoverySpecification: inert,
    SSESpecification: inert,
    DeletionProtectionEnabled: boolean.optional(),
    OnDemandThroughput: inert,
    TableClass: inert,
    Tags: tags,
  }),
  async create(properties, { world, generatedName }) {
    const TableName = properties.TableName ?? generatedName.slice(0, 255);
    await world.dynamodb.ensureTable({
      TableName,
      KeySchema: properties.KeySchema,
      AttributeDefinitions: properties.AttributeDefinitions,
      ...(properties.GlobalSecondaryIndexes === undefined
        ? {}
        : {
            GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes.map(
              ({ IndexName, KeySchema, Projection }) => ({
                IndexName,
                KeySchema,
                Projection,
              }),
            ),
          }),
    });
    return { ref: TableName, attributes: { Arn: arn(world, "dynamodb", `table/${TableName}`) } };
  },
});
