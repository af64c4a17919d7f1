/**
 * What INTAKE talks to, in a process of its own: the embedded S3 and DynamoDB, and a sink in SQS's place, which speaks
 * its protocol (with the checksums that the SDK compares), counts what it is sent and forgets it. Started by intake.ts.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import * as z from "zod";
import { startDynamoDb } from "../../infra/local/dynamodb/server.ts";
import { listen, readBody } from "../../infra/local/http-server.ts";
import { startS3 } from "../../infra/local/s3/server.ts";
import { joinTaps } from "../../infra/local/taps.ts";

const region = "us-east-1";
const ledgerTable = {
  TableName: "ledger",
  AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
};

const batchSchema = z.object({
  QueueUrl: z.string(),
  Entries: z.array(z.object({ Id: z.string(), MessageBody: z.string() })),
});

const calls = { count: 0 };
const messages: Record<string, number> = {};

const sink = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify({ calls: calls.count, messages }));
    return;
  }
  const body = await readBody(request);
  const { QueueUrl, Entries } = batchSchema.parse(JSON.parse(body.toString()));
  const queue = QueueUrl.slice(QueueUrl.lastIndexOf("/") + 1);
  calls.count += 1;
  messages[queue] = (messages[queue] ?? 0) + Entries.length;
  const Successful = Entries.map(({ Id, MessageBody }) => ({
    Id,
    MessageId: randomUUID(),
    MD5OfMessageBody: createHash("md5").update(MessageBody).digest("hex"),
  }));
  response
    .writeHead(200, { "content-type": "application/x-amz-json-1.0" })
    .end(JSON.stringify({ Successful, Failed: [] }));
});

const s3 = await startS3({ region, deliver: async () => {} });
const dynamodb = await startDynamoDb({ region, tap: joinTaps([]), log: (line) => console.error(line) });
await dynamodb.ensureTable(ledgerTable);
console.log(JSON.stringify({ listening: await listen(sink), s3: s3.url, dynamodb: dynamodb.url }));
process.stdin.on("end", () => void s3.close().then(() => process.exit())).resume();
