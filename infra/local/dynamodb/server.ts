/** DynamoDB: dynalite's operations behind our own HTTP front on 127.0.0.1, every call tapped. Started by the stack. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, listen, readBody } from "../http-server.ts";
import type { ServiceCall } from "../tap.ts";
import { callerOf, type JoinedTap, refusalMessage } from "../taps.ts";
import { database, type Parameters } from "./dynalite.ts";
import { DynamoDbError, execute } from "./execute.ts";
import { ensureTable, keyAttributes, type TableDefinition } from "./tables.ts";

export interface DynamoDbService {
  readonly url: string;
  /** Creates the table, or accepts an existing one with the same keys and indexes; throws when they differ. */
  ensureTable(definition: TableDefinition): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export async function startDynamoDb(options: {
  readonly directory?: string | undefined;
  readonly port?: number | undefined;
  readonly region: string;
  readonly tap: JoinedTap;
  readonly log: (line: string) => void;
}): Promise<DynamoDbService> {
  const store = database.create({
    ...(options.directory === undefined ? {} : { path: options.directory }),
    createTableMs: 0,
    deleteTableMs: 0,
  });
  store.tableDb.awsRegion = options.region;
  store.tableDb.awsAccountId = "000000000000";

  /** Table → names of its key attributes. */
  const keys = new Map<string, readonly string[]>();
  const keysOf = async ({ TableName, Item }: Parameters): Promise<readonly string[]> => {
    const table = String(TableName);
    if (Item === undefined) return [];
    const known = keys.get(table) ?? (await keyAttributes(store, table));
    keys.set(table, known);
    return known;
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const body = await readBody(request);
    const operation = String(request.headers["x-amz-target"]).replace("DynamoDB_20120810.", "");
    const parameters: Parameters = Object(JSON.parse(body.toString() || "{}"));
    const call: ServiceCall = {
      service: "dynamodb",
      operation,
      ...resourceOf(parameters),
      ...itemOf(parameters, await keysOf(parameters)),
      caller: callerOf(request.headers.authorization),
      requestBytes: body.length,
    };
    try {
      await options.tap.before(call);
    } catch (refusal) {
      const message = refusalMessage(refusal);
      return json(400, { __type: "com.amazon.coral.service#AccessDeniedException", message });
    }
    let capacityUnits = 0;
    const reply = await execute(store, operation, measured(operation, parameters)).then(
      (result) => {
        capacityUnits = unitsOf(result);
        if (parameters.ReturnConsumedCapacity === undefined) delete result.ConsumedCapacity;
        return json(200, result);
      },
      (error: unknown) => {
        if (!(error instanceof DynamoDbError)) throw error;
        if (error.message.includes("is not simulated"))
          options.log(`${error.message}, called by ${call.caller}`);
        return json(error.status, error.body);
      },
    );
    const responseBytes = Buffer.byteLength(reply.text);
    await options.tap.after(call, { status: reply.status, responseBytes, capacityUnits });
    return reply;
  };

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => send(response, reply),
      (error: unknown) => {
        options.log(`DynamoDB failed: ${error instanceof Error ? error.stack : String(error)}`);
        send(response, json(500, { __type: "InternalServerError", message: refusalMessage(error) }));
      },
    );
  });
  const url = await listen(server, options.port);
  return {
    url,
    ensureTable: (definition) => ensureTable(store, definition),
    async close() {
      await closeServer(server);
      await new Promise<void>((resolve, reject) =>
        store.lifecycleManager.gracefulClose((error) => (error ? reject(error) : resolve())),
      );
    },
  };
}

function json(status: number, body: Parameters): Answer {
  return { status, text: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, text }: Answer): void {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(text);
}

/** Lets dynalite count what the call would be billed, where it is one that reads or writes items. */
function measured(operation: string, parameters: Parameters): Parameters {
  return /Item$|^Query$|^Scan$/.test(operation) && parameters.ReturnConsumedCapacity === undefined
    ? { ...parameters, ReturnConsumedCapacity: "TOTAL" }
    : parameters;
}

/** Batch calls answer with a list of tables. */
function unitsOf({ ConsumedCapacity: consumed }: Parameters): number {
  const tables: unknown[] = Array.isArray(consumed) ? consumed : [consumed];
  return tables.reduce<number>((sum, table) => sum + Number(Object(table).CapacityUnits ?? 0), 0);
}

/** The table a call is about; batch calls name theirs as keys, joined by commas. */
function resourceOf(parameters: Parameters): { resource: string; index?: string } {
  const { TableName, IndexName, RequestItems } = parameters;
  if (RequestItems !== undefined) return { resource: Object.keys(Object(RequestItems)).join(",") };
  const resource = typeof TableName === "string" ? (TableName.split("/").at(-1) ?? TableName) : "";
  return typeof IndexName === "string" ? { resource, index: IndexName } : { resource };
}

/** Which item a call is about, and what an update does to it; `keyNames` are needed where the whole item is given. */
function itemOf(
  { Key, Item, UpdateExpression }: Parameters,
  keyNames: readonly string[],
): { item?: string; expression?: string } {
  const attributes: Record<string, unknown> = Object(Key ?? Item);
  const names = Key === undefined ? keyNames : Object.keys(attributes);
  const values = names.flatMap((name) => Object.values(Object(attributes[name])).map(String));
  return {
    ...(values.length === 0 ? {} : { item: values.join(" ") }),
    ...(typeof UpdateExpression === "string" ? { expression: UpdateExpression } : {}),
  };
}
