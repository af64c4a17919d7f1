/** How fast INTAKE takes a large file in, and in how much memory: `npm run bench -- intake [--lines N] [--line-bytes N]`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { CreateBucketCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import { creationEvent } from "@touchstone/core/domain/intake/creation-event";
import { batchIdOf } from "@touchstone/core/domain/intake/upload-key";
import { transform } from "esbuild";
import * as z from "zod";
import { s3Client } from "../../functions/_aws/clients.ts";
import { s3BlobStore } from "../../functions/_aws/s3-blob-store.ts";
import { buildFunctions } from "../../functions/build.ts";
import { nodeOptions } from "../../infra/constructs/environment.ts";
import { layOutFunction } from "../../infra/local/lambda/function-files.ts";
import { buildCoreLayer } from "../../layers/build.ts";
import { benchTemplate } from "./bench-task.ts";
import { type ChildServer, startChildServer } from "./child-server.ts";
import { rounded } from "./figures.ts";

export const describe = "lines a second and memory of INTAKE over a large file: [--lines N] [--line-bytes N]";

export const help = `INTAKE's deployed bundle runs in a process of its own. It reads a generated file from the embedded S3 and keeps its
ledger in the embedded DynamoDB, both in another process; a sink stands for SQS, which speaks its protocol, counts the
messages and forgets them. The file is streamed up and never held in memory. Node runs with the options of the deployed
function, its heap bounded by the function's 1024 MB.
  --lines N           lines of the file, each a valid sample (1000000)
  --line-bytes N      bytes of a line, about (400)
Result:
  linesPerSecond, mbPerSecond   from the event's arrival until INTAKE's answer
  cpuMsPerThousandLines         of the whole process
  peakRssMb                     resident memory of the process at its highest
  firstQuarterRssMb, lastQuarterRssMb   the same within the first and the last quarter of the time: flat memory is equal
  messages, calls               what the sink counted, by queue
  loadAverage                   of the machine when the bench began, one minute`;

const uploads = "uploads";
/** INTAKE's, in the template; the embedded runner bounds a function's heap by its memory too. */
const memoryMb = 1024;
const measuredSchema = z.object({
  failures: z.literal(0, "INTAKE reported the file as failed"),
  seconds: z.number(),
  cpuSeconds: z.number(),
  peakRss: z.number(),
  firstQuarterRss: z.number(),
  lastQuarterRss: z.number(),
});
const sinkSchema = z.object({ calls: z.number(), messages: z.record(z.string(), z.number()) });
const servicesSchema = z.object({ s3: z.string(), dynamodb: z.string() });

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      lines: { type: "string", default: "1000000" },
      "line-bytes": { type: "string", default: "400" },
    },
  });
  const lines = Number(values.lines);
  const loadAverage = rounded(loadavg()[0] ?? 0, 2);
  const directory = await mkdtemp(path.join(tmpdir(), "touchstone-bench-"));
  const services = await startChildServer(new URL("./intake-services.ts", import.meta.url), []);
  try {
    console.error("bundling");
    const bundle = await layOut(directory);
    const environment = environmentOf(services);
    Object.assign(process.env, environment);
    console.error(`uploading ${lines} lines`);
    const file = await upload(lines, Number(values["line-bytes"]));
    console.error(`taking in ${rounded(file.bytes / 1e6, 0)} MB`);
    const measured = await takeIn(bundle, environment, file.event);
    const sunk = sinkSchema.parse(await (await fetch(services.url)).json());
    if (sunk.messages.score !== lines)
      throw new Error(`${lines} lines became ${sunk.messages.score} messages to SCORE`);
    const megabytes = (bytes: number): number => rounded(bytes / 2 ** 20, 1);
    return {
      linesPerSecond: rounded(lines / measured.seconds, 0),
      mbPerSecond: rounded(file.bytes / 1e6 / measured.seconds, 2),
      cpuMsPerThousandLines: rounded((measured.cpuSeconds * 1e6) / lines, 1),
      peakRssMb: megabytes(measured.peakRss),
      firstQuarterRssMb: megabytes(measured.firstQuarterRss),
      lastQuarterRssMb: megabytes(measured.lastQuarterRss),
      seconds: rounded(measured.seconds, 1),
      ...sunk,
      loadAverage,
    };
  } finally {
    await services.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The bundle with the core layer above it, as the embedded AWS lays it out; returns its module. */
async function layOut(directory: string): Promise<string> {
  const [functions, core] = await Promise.all([
    buildFunctions(path.join(directory, "bundles")),
    buildCoreLayer(path.join(directory, "core")),
  ]);
  const intake = functions.find(({ name }) => name === "intake");
  if (intake === undefined) throw new Error("functions/intake/handler.ts is missing");
  const { task } = await layOutFunction({
    workDirectory: path.join(directory, "lambda"),
    functionId: "intake",
    bundle: intake.directory,
    layers: [core],
  });
  return path.join(task, "index.mjs");
}

function environmentOf(services: ChildServer): Record<string, string> {
  const { s3, dynamodb } = servicesSchema.parse(JSON.parse(services.said));
  const queue = (name: string): string => `${services.url}/000000000000/${name}`;
  return {
    UPLOADS_BUCKET: uploads,
    RESULTS_BUCKET: "results",
    LEDGER_TABLE: "ledger",
    DESCRIBE_QUEUE_URL: queue("describe"),
    SCORE_QUEUE_URL: queue("score"),
    SETTLE_QUEUE_URL: queue("settle"),
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "bench",
    AWS_SECRET_ACCESS_KEY: "bench-secret",
    AWS_ENDPOINT_URL_S3: s3,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SQS: services.url,
    AWS_LAMBDA_FUNCTION_NAME: "intake",
    POWERTOOLS_SERVICE_NAME: "intake",
  };
}

/** Puts template and file where INTAKE looks for them, and makes the message that announces the file. */
async function upload(lines: number, lineBytes: number): Promise<{ bytes: number; event: object }> {
  const client = s3Client();
  await client.send(new CreateBucketCommand({ Bucket: uploads }));
  await client.send(
    new PutBucketVersioningCommand({ Bucket: uploads, VersioningConfiguration: { Status: "Enabled" } }),
  );
  const blobs = s3BlobStore(client);
  await blobs.write(
    { bucket: uploads, key: "templates/bench/template.yaml" },
    benchTemplate(),
    "application/yaml",
  );
  const key = "inbox/bench/large/samples.jsonl";
  await blobs.write({ bucket: uploads, key }, generated(lines, lineBytes), "application/jsonl");
  const head = await blobs.head({ bucket: uploads, key });
  client.destroy();
  if (head?.versionId === undefined) throw new Error(`the embedded S3 has lost ${key}`);
  const { bytes, versionId } = head;
  const body = creationEvent({
    batch: batchIdOf(key, { versionId }),
    source: { bucket: uploads, key, versionId },
    bytes,
    sequencer: "0",
    arrivedAt: Date.now(),
  });
  return { bytes, event: { Records: [{ messageId: "1", body: JSON.stringify(body), attributes: {} }] } };
}

async function* generated(lines: number, lineBytes: number): AsyncGenerator<Uint8Array> {
  const filler = "Your parcel has left the warehouse. ".repeat(Math.ceil(lineBytes / 36));
  let chunk = "";
  for (let index = 0; index < lines; index += 1) {
    const line = JSON.stringify({ id: `large-${index}`, input: `Where is order ${index}?`, output: "" });
    chunk += `${line.slice(0, -2)}${filler.slice(0, Math.max(0, lineBytes - line.length - 1))}"}\n`;
    if (chunk.length < 1_000_000) continue;
    yield Buffer.from(chunk);
    chunk = "";
  }
  yield Buffer.from(chunk);
}

async function takeIn(
  bundle: string,
  environment: Readonly<Record<string, string>>,
  event: object,
): Promise<z.infer<typeof measuredSchema>> {
  // Without its types: the compiler would otherwise lie in the memory that is measured.
  const { code: source } = await transform(
    await readFile(path.join(import.meta.dirname, "intake-process.ts"), "utf8"),
    {
      loader: "ts",
      format: "esm",
      target: "node24",
    },
  );
  const program = path.join(path.dirname(bundle), "intake-process.mjs");
  await writeFile(program, source);
  const child = spawn(process.execPath, [program, bundle], {
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: `${nodeOptions} --max-old-space-size=${memoryMb}`,
      ...environment,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(event));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`INTAKE's process ended with code ${code}: ${output}`);
  return measuredSchema.parse(JSON.parse(output.trim().split("\n").at(-1) ?? ""));
}
