/** Walks every command the DynamoDB adapters send: no bare attribute names, no unused or missing placeholders. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamoBudgetStore } from "../../functions/_aws/dynamo-budget-store.ts";
import { dynamoGistStore } from "../../functions/_aws/dynamo-gist-store.ts";
import { dynamoLedger } from "../../functions/_aws/dynamo-ledger.ts";
import { dynamoReviewStore } from "../../functions/_aws/dynamo-review-store.ts";
import { dynamoSampleStore } from "../../functions/_aws/dynamo-sample-store.ts";
import { budgetStoreContract } from "../contract/budget-store-contract.ts";
import { gistStoreContract } from "../contract/gist-store-contract.ts";
import { ledgerContract } from "../contract/ledger-contract.ts";
import { type LocalDynamo, startDynamo } from "../contract/local-dynamo.ts";
import { reviewStoreContract } from "../contract/review-store-contract.ts";
import { sampleStoreContract } from "../contract/sample-store-contract.ts";

interface Sent {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const sent: Sent[] = [];
let dynamo: LocalDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
  dynamo.client.middlewareStack.add(
    (next, context) => (args) => {
      sent.push({ command: String(context.commandName), input: { ...args.input } });
      return next(args);
    },
    { step: "initialize" },
  );
});
afterAll(() => dynamo.close());

// The contract suites are the fullest list of calls there is.
ledgerContract("recorded", () => dynamoLedger(dynamo.ledger));
sampleStoreContract("recorded", () =>
  dynamoSampleStore({ client: dynamo.client, name: dynamo.samples.name }),
);
reviewStoreContract("recorded", () => dynamoReviewStore(dynamo.reviews));
gistStoreContract("recorded", () => dynamoGistStore(dynamo.gists, () => 0));
budgetStoreContract("recorded", () => dynamoBudgetStore(dynamo.tasks));

const syntax = new Set(
  "SET REMOVE ADD DELETE AND OR NOT BETWEEN IN attribute_exists attribute_not_exists if_not_exists".split(
    " ",
  ),
);
const expressionsOf = ({ input }: Sent): string =>
  Object.entries(input)
    .filter(([name, value]) => name.endsWith("Expression") && typeof value === "string")
    .map(([, value]) => String(value))
    .join(" ");
const keysOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [name]))
    : [];
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

describe("every expression that was sent", () => {
  test("names attributes by placeholder only", () => {
    const words = sent.flatMap((one) => expressionsOf(one).match(/(?<![#:\w])[A-Za-z_]\w*/g) ?? []);
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter((word) => !syntax.has(word))).toEqual([]);
  });

  test("defines the names and values it uses, and no others", () => {
    for (const one of sent) {
      const expressions = expressionsOf(one);
      const names = keysOf(one.input.ExpressionAttributeNames);
      const values = keysOf(one.input.ExpressionAttributeValues);
      expect(sorted(expressions.match(/#\w+/g) ?? []), one.command).toEqual(sorted(names));
      expect(sorted(expressions.match(/:\w+/g) ?? []), one.command).toEqual(sorted(values));
    }
  });

  test("covers all the commands the adapters have", () => {
    expect(sorted(sent.map(({ command }) => command))).toEqual(
      sorted([
        "BatchGetItemCommand",
        "GetItemCommand",
        "PutItemCommand",
        "QueryCommand",
        "ScanCommand",
        "UpdateItemCommand",
      ]),
    );
  });

  test("reads the table itself only consistently", () => {
    const gets = sent.filter(({ command }) => command === "GetItemCommand");
    expect(gets.every(({ input }) => input.ConsistentRead === true)).toBe(true);
  });
});
