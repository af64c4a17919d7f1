/** What the sample store relies on when it writes items together by PartiQL; true of AWS, and so of what stands in for it. */
import {
  BatchExecuteStatementCommand,
  type BatchStatementRequest,
  type DynamoDBClient,
  GetItemCommand,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";

/** A table with the key `pk`. */
export interface StatementsTable {
  readonly client: DynamoDBClient;
  readonly name: string;
}

export const statementsContract = (name: string, table: () => StatementsTable): void => {
  let made = 0;
  const freshKey = (): string => {
    made += 1;
    return `it's "${made}" ?`;
  };
  const insert = (pk: string, token: string): BatchStatementRequest => ({
    Statement: `INSERT INTO "${table().name}" VALUE {'pk': ?, 'token': ?, 'until': ?}`,
    Parameters: [{ S: pk }, { S: token }, { N: "12" }],
  });
  const leased = (pk: string, token: string) => ({ pk: { S: pk }, token: { S: token }, until: { N: "12" } });
  const record = (pk: string, result: string): BatchStatementRequest => ({
    Statement: `UPDATE "${table().name}" SET "result" = ? WHERE "pk" = ? AND "result" IS MISSING`,
    Parameters: [{ S: result }, { S: pk }],
  });
  /** The code of each statement's error, null where there is none. */
  const run = async (...Statements: BatchStatementRequest[]): Promise<(string | null)[]> => {
    const { Responses = [] } = await table().client.send(new BatchExecuteStatementCommand({ Statements }));
    return Responses.map(({ Error: error }) => error?.Code ?? null);
  };
  const read = async (pk: string): Promise<unknown> => {
    const get = new GetItemCommand({ TableName: table().name, Key: { pk: { S: pk } }, ConsistentRead: true });
    return (await table().client.send(get)).Item;
  };

  describe(`statements: ${name}`, () => {
    test("an INSERT makes an item once, and a refused one leaves its neighbours alone", async () => {
      const [first, second] = [freshKey(), freshKey()];
      expect(await run(insert(first, "a"))).toEqual([null]);
      expect(await run(insert(first, "b"), insert(second, "b"))).toEqual(["DuplicateItem", null]);
      expect(await read(first)).toEqual(leased(first, "a"));
      expect(await read(second)).toEqual(leased(second, "b"));
    });

    test("an UPDATE sets an attribute, as long as what must be missing is", async () => {
      const pk = freshKey();
      await run(insert(pk, "a"));
      expect(await run(record(pk, "one"))).toEqual([null]);
      expect(await run(record(pk, "two"))).toEqual(["ConditionalCheckFailed"]);
      expect(await read(pk)).toEqual({ ...leased(pk, "a"), result: { S: "one" } });
    });

    test("an UPDATE makes no item", async () => {
      const pk = freshKey();
      expect(await run(record(pk, "one"))).toEqual(["ConditionalCheckFailed"]);
      expect(await read(pk)).toBeUndefined();
    });

    test("INSERT and UPDATE may share a call", async () => {
      const [old, fresh] = [freshKey(), freshKey()];
      await run(insert(old, "a"));
      expect(await run(record(old, "one"), insert(fresh, "a"))).toEqual([null, null]);
    });
  });
};
