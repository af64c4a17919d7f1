/** The parts of dynalite 4 (untyped CommonJS) that the DynamoDB server is built from. */
import { createRequire } from "node:module";
import { rememberParses } from "./remembered-parses.ts";

export type Parameters = Record<string, unknown>;

/** An error as dynalite raises it: an AWS answer with its status. */
export interface DynaliteError extends Error {
  readonly statusCode?: number;
  readonly body?: Record<string, unknown>;
}

export interface DynaliteStore {
  readonly tableDb: {
    awsAccountId: string;
    awsRegion: string;
    del(table: string, done: (error: Error | null) => void): void;
  };
  readonly lifecycleManager: { gracefulClose(done: (error: Error | null) => void): void };
}

export interface Operation {
  readonly types: Readonly<Record<string, unknown>>;
  readonly custom?: (parameters: Parameters, store: DynaliteStore) => string | undefined;
  readonly act: (
    store: DynaliteStore,
    parameters: Parameters,
    done: (error: DynaliteError | null, answer?: Parameters) => void,
  ) => void;
}

export const operationNames = [
  "BatchGetItem",
  "BatchWriteItem",
  "CreateTable",
  "DeleteItem",
  "DeleteTable",
  "DescribeTable",
  "GetItem",
  "ListTables",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
] as const;

interface Database {
  create(options: { path?: string; createTableMs: number; deleteTableMs: number }): DynaliteStore;
  checkConditional(parameters: Parameters, item: unknown): DynaliteError | null | undefined;
}

interface Validations {
  checkTypes(parameters: Parameters, types: Operation["types"]): Parameters;
  checkValidations(
    parameters: Parameters,
    types: Operation["types"],
    custom: Operation["custom"],
    store: DynaliteStore,
  ): void;
}

const require = createRequire(import.meta.url);
export const database: Database = require("dynalite/db");
export const validations: Validations = require("dynalite/validations");

for (const parser of ["conditionParser", "updateParser"]) rememberParses(require(`dynalite/db/${parser}`));

/** Every operation simulated, by its API name. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  operationNames.map((name): [string, Operation] => {
    const file = name.charAt(0).toLowerCase() + name.slice(1);
    const { types, custom }: Omit<Operation, "act"> = require(`dynalite/validations/${file}`);
    const act: Operation["act"] = require(`dynalite/actions/${file}`);
    return [name, { types, act, ...(custom === undefined ? {} : { custom }) }];
  }),
);

/*
 * A failed condition carries the item it failed against when the caller asked for it; dynalite drops that wish.
 * Its condition check runs inside the item's lock, so what is returned is what was compared.
 */
const check = database.checkConditional;
database.checkConditional = (parameters, item) => {
  const error = check(parameters, item);
  if (error?.body !== undefined && item && parameters.ReturnValuesOnConditionCheckFailure === "ALL_OLD")
    error.body.Item = item;
  return error;
};
