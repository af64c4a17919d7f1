/** BatchExecuteStatement: several single-item writes in one call, each with its own end. Used by the server. */
import type { ItemWrite } from "../tap.ts";
import type { DynaliteStore, Parameters } from "./dynalite.ts";
import { DynamoDbError, execute } from "./execute.ts";
import { batchSchema, type KeysOf, type Translated, translate } from "./statements.ts";

/** The statements of a call, translated; throws as AWS would refuse the call, or for what is not simulated. */
export const readBatch = async (parameters: Parameters, keysOf: KeysOf): Promise<readonly Translated[]> => {
  const batch = batchSchema.safeParse(parameters);
  if (!batch.success) throw invalid(batch.error.issues.map(({ message }) => message).join("; "));
  const read: Translated[] = [];
  for (const statement of batch.data.Statements) {
    const translated = await translate(statement, keysOf);
    if (!translated) throw invalid(`PartiQL statement ${statement.Statement} is not simulated`);
    read.push(translated);
  }
  return read;
};

/** What AWS says of a call that changes an item twice is not known well enough to be simulated. */
export const refuseRepeats = (writes: readonly ItemWrite[]): void => {
  const items = new Set(writes.map(({ table, item }) => `${table} ${item}`));
  if (items.size < writes.length) throw invalid("several statements about one item are not simulated");
};

/** Errors of a statement are in its response; the others go on. */
export const executeBatch = async (
  store: DynaliteStore,
  statements: readonly Translated[],
): Promise<Parameters> => {
  const ends = await Promise.all(statements.map((statement) => executeOne(store, statement)));
  return {
    Responses: ends.map(({ response }) => response),
    ConsumedCapacity: ends.map(({ consumed }) => consumed),
  };
};

/** Of the writes that a call asked for, those that its answer does not name an error for. */
export const writesMade = (writes: readonly ItemWrite[], { Responses }: Parameters): readonly ItemWrite[] => {
  const responses: readonly unknown[] = Array.isArray(Responses) ? Responses : [];
  return writes.filter((_, index) => Object(responses[index]).Error === undefined);
};

interface End {
  readonly response: Parameters;
  readonly consumed: unknown;
}

const executeOne = async (store: DynaliteStore, { operation, parameters }: Translated): Promise<End> => {
  const { TableName } = parameters;
  try {
    const wish = { ReturnConsumedCapacity: "TOTAL" };
    const { ConsumedCapacity } = await execute(store, operation, { ...parameters, ...wish });
    return { response: { TableName }, consumed: ConsumedCapacity };
  } catch (error) {
    if (!(error instanceof DynamoDbError)) throw error;
    const Code = codeOf(String(error.body.__type), operation);
    // What fails its condition is billed as a write of one unit.
    return {
      response: { TableName, Error: { Code, Message: error.message } },
      consumed: { CapacityUnits: 1 },
    };
  }
};

const codeOf = (type: string, operation: Translated["operation"]): string => {
  if (type.endsWith("ConditionalCheckFailedException"))
    return operation === "PutItem" ? "DuplicateItem" : "ConditionalCheckFailed";
  return type.endsWith("ResourceNotFoundException") ? "ResourceNotFound" : "ValidationError";
};

const invalid = (message: string): DynamoDbError =>
  new DynamoDbError(400, { __type: "com.amazon.coral.validate#ValidationException", message });
