/** DynamoDB: dynalite's operations behind our own HTTP front on 127.0.0.1, every call tapped. Started by the stack. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, listen, readBody } from "../http-server.ts";
import type { ServiceCall } from "../tap.ts";
import { callerOf, type JoinedTap, refusalMessage } from "../taps.ts";
import { writesMade } from "./batch-statements.ts";
import { database, type Parameters } from "./dynalite.ts";
import { DynamoDbError } from "./execute.ts";
import { ensureTable, keyAttributes, type TableDefinition } from "./tables.ts";
import { understand } from "./understand.ts";

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
  const keysOf = async (table: string): Promise<readonly string[]> => {
    const names = keys.get(table) ?? (await keyAttributes(store, table));
    if (names.length > 0) keys.set(table, names);
    return names;
  };

  const refused = (error: unknown, caller: string): { readonly reply: Answer } => {
    if (!(error instanceof DynamoDbError)) throw error;
    if (error.message.includes("not simulated")) options.log(`${error.message}, called by ${caller}`);
    return { reply: json(error.status, error.body) };
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const body = await readBody(request);
    const operation = String(request.headers["x-amz-target"]).replace("DynamoDB_20120810.", "");
    const parameters: Parameters = Object(JSON.parse(body.toString() || "{}"));
    const caller = callerOf(request.headers.authorization);
    const asked = await understand(operation, parameters, keysOf).catch((error: unknown) =>
      refused(error, caller),
    );
    if ("reply" in asked) return asked.reply;
    const call: ServiceCall = {
      service: "dynamodb",
      operation,
      ...asked.about,
      caller,
      requestBytes: body.length,
    };
    try {
      await options.tap.before(call);
    } catch (refusal) {
      const message = refusalMessage(refusal);
      return json(400, { __type: "com.amazon.coral.service#AccessDeniedException", message });
    }
    let capacityUnits = 0;
    let done = call;
    const reply = await asked.run(store).then(
      (result) => {
        capacityUnits = unitsOf(result);
        if (call.writes) done = { ...call, writes: writesMade(call.writes, result) };
        if (parameters.ReturnConsumedCapacity === undefined) delete result.ConsumedCapacity;
        return json(200, result);
      },
      (error: unknown) => refused(error, caller).reply,
    );
    const responseBytes = Buffer.byteLength(reply.text);
    await options.tap.after(done, { status: reply.status, responseBytes, capacityUnits });
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

/** Batch calls answer with a list of tables. */
function unitsOf({ ConsumedCapacity: consumed }: Parameters): number {
  const tables: unknown[] = Array.isArray(consumed) ? consumed : [consumed];
  return tables.reduce<number>((sum, table) => sum + Number(Object(table).CapacityUnits ?? 0), 0);
}
