/** The sample store port on DynamoDB: one item per sample and run, whose lease says who may pay a judge. */
import { UpdateItemCommand, type UpdateItemCommandOutput } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { transient } from "@touchstone/core/errors";
import type { SampleStore, StoredSample } from "@touchstone/core/ports";
import { formatSampleKey, type SampleKey } from "@touchstone/core/schema/identity";
import { type Result, resultSchema } from "@touchstone/core/schema/result";
import { verdictSchema } from "@touchstone/core/schema/review";
import { batchGet } from "./dynamo-batch-get.ts";
import { type DynamoTable, getItem, type Item, partitionKey, unlessConditionFailed } from "./dynamo-table.ts";
import { type Pace, realPace } from "./pace.ts";
import { jsonAttribute, maxVerdictBytes, parseJsonAttribute } from "./stored.ts";

const sendUpdate = (
  { plain, client }: DynamoTable,
  update: UpdateItemCommand,
): Promise<UpdateItemCommandOutput> => (plain ? plain.send(update) : client.send(update));

/** The usual cases of leasing and recording, which are tried together; all others are left to the single write. */
const firstLease = (table: string): string =>
  `INSERT INTO "${table}" VALUE {'pk': ?, 'leaseToken': ?, 'leaseUntil': ?}`;
const firstResult = (table: string): string =>
  `UPDATE "${table}" SET "result" = ? WHERE "pk" = ? AND "result" IS MISSING`;

/**
 * Key attribute `pk`, the text form of the sample key; `result` and `verdict` are JSON texts. Leasing and recording
 * happen once for every sample, so they are written in DynamoDB's own form: translating a document costs a fifth more.
 */
export const dynamoSampleStore = (table: DynamoTable, pace: Pace = realPace): SampleStore => ({
  async lease(key, token, now, leaseSeconds) {
    const { pk } = itemKey(key);
    const until = String(now + leaseSeconds * 1000);
    const isFirst = await table.together?.({
      item: pk,
      statement: firstLease(table.name),
      values: [{ S: pk }, { S: token }, { N: until }],
    });
    if (isFirst) return { kind: "leased", attempts: 0 };
    const update = new UpdateItemCommand({
      TableName: table.name,
      Key: { pk: { S: pk } },
      UpdateExpression: "SET #leaseToken = :token, #leaseUntil = :until",
      ConditionExpression:
        "attribute_not_exists(#result) AND (attribute_not_exists(#leaseUntil) OR #leaseUntil <= :now)",
      ExpressionAttributeNames: {
        "#leaseToken": "leaseToken",
        "#leaseUntil": "leaseUntil",
        "#result": "result",
      },
      ExpressionAttributeValues: {
        ":token": { S: token },
        ":until": { N: until },
        ":now": { N: String(now) },
      },
      ReturnValues: "ALL_NEW",
    });
    const answer = await unlessConditionFailed(sendUpdate(table, update));
    if (answer) return { kind: "leased", attempts: Number(answer.Attributes?.attempts?.N ?? 0) };
    const item = await getItem(table, { pk });
    const result = resultOf(item);
    if (result) return { kind: "recorded", result };
    // Our own token: the first answer was lost on the way and the SDK asked again.
    return item?.leaseToken === token ? { kind: "leased", attempts: attemptsOf(item) } : { kind: "busy" };
  },

  async release(key, token, failed) {
    await unlessConditionFailed(
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: itemKey(key),
          UpdateExpression: `REMOVE #leaseToken, #leaseUntil${failed ? " ADD #attempts :one" : ""}`,
          // A result ends the lease, though its token may still stand there.
          ConditionExpression: "#leaseToken = :token AND attribute_not_exists(#result)",
          ExpressionAttributeNames: {
            "#result": "result",
            "#leaseToken": "leaseToken",
            "#leaseUntil": "leaseUntil",
            ...(failed ? { "#attempts": "attempts" } : {}),
          },
          ExpressionAttributeValues: { ":token": token, ":one": failed ? 1 : undefined },
        }),
      ),
    );
  },

  async record(key, result) {
    const { pk } = itemKey(key);
    const text = jsonAttribute("result", result);
    const isFirst = await table.together?.({
      item: pk,
      statement: firstResult(table.name),
      values: [{ S: text }, { S: pk }],
    });
    if (isFirst) return result;
    const update = new UpdateItemCommand({
      TableName: table.name,
      Key: { pk: { S: pk } },
      UpdateExpression: "SET #result = :result REMOVE #leaseToken, #leaseUntil",
      ConditionExpression: "attribute_not_exists(#result)",
      ExpressionAttributeNames: {
        "#result": "result",
        "#leaseToken": "leaseToken",
        "#leaseUntil": "leaseUntil",
      },
      ExpressionAttributeValues: { ":result": { S: text } },
    });
    if (await unlessConditionFailed(sendUpdate(table, update))) return result;
    const standing = resultOf(await getItem(table, { pk }));
    if (standing) return standing;
    throw transient(
      "conflict",
      `the result of ${formatSampleKey(key)} vanished while another was being recorded`,
    );
  },

  async read(keys) {
    const names = keys.map(formatSampleKey);
    const distinct = [...new Set(names)].map((pk) => ({ pk }));
    const items = await batchGet(table, distinct, pace);
    const byName = new Map(items.map((item) => [item.pk, stored(item)]));
    return names.map((name) => byName.get(name) ?? null);
  },

  async setVerdict(key, verdict) {
    await unlessConditionFailed(
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: itemKey(key),
          UpdateExpression: "SET #verdict = :verdict, #verdictAt = :at",
          ConditionExpression: "attribute_not_exists(#verdictAt) OR #verdictAt <= :at",
          ExpressionAttributeNames: { "#verdict": "verdict", "#verdictAt": "verdictAt" },
          ExpressionAttributeValues: {
            ":verdict": jsonAttribute("verdict", verdict, maxVerdictBytes),
            ":at": verdict.at,
          },
        }),
      ),
    );
  },
});

const itemKey = (key: SampleKey) => ({ pk: partitionKey(formatSampleKey(key)) });

const attemptsOf = (item: Item | null | undefined): number => Number(item?.attempts ?? 0);

const resultOf = (item: Item | null): Result | null =>
  item?.result === undefined
    ? null
    : parseJsonAttribute(resultSchema, item.result, `result of ${String(item.pk)}`);

const stored = (item: Item): StoredSample => ({
  result: resultOf(item),
  verdict:
    item.verdict === undefined
      ? null
      : parseJsonAttribute(verdictSchema, item.verdict, `verdict of ${String(item.pk)}`),
  attempts: attemptsOf(item),
});
