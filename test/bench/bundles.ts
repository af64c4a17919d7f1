/** What each function weighs and how long it takes to load, beside a bare-SDK function: `npm run bench -- bundles`. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import * as z from "zod";
import { environmentNames } from "../../functions/_aws/env.ts";
import { type BuiltFunction, buildFunctions } from "../../functions/build.ts";
import { layOutFunction } from "../../infra/local/lambda/function-files.ts";
import { buildLayers } from "../../layers/build.ts";
import { hostTarget } from "../../layers/media/native-target.ts";
import { median, rounded } from "./figures.ts";

export const describe =
  "bytes and cold import time of each function beside a bare-SDK function: [--rounds N]";

export const help = `Each function's bundle is imported in processes of its own, all functions in turn in each round; \`bare\` is a function
with nothing but the S3, SQS and DynamoDB clients, bundled in the same way. Core and sharp come from their layers.
  --rounds N          times that each is imported (15)
Result, medians:
  bytes               of the minified bundle, layers excluded
  importMs            from the import's beginning until the handler is there, the core layer's modules included
  importCpuMs         CPU that the process used meanwhile
  overBareMs          importMs beyond that of the bare function
  loadAverage         of the machine when the bench began, one minute`;

const execute = promisify(execFile);
const timedSchema = z.object({ ms: z.number(), cpuMs: z.number() });
type Timed = z.infer<typeof timedSchema>;

const timer = `const [url] = process.argv.slice(2);
const cpu = process.cpuUsage();
const started = performance.now();
await import(url);
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));
process.exit();
`;

interface Laid {
  readonly name: string;
  readonly bytes: number;
  readonly module: string;
  readonly timed: Timed[];
}

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string", default: "15" } } });
  const rounds = Number(values.rounds);
  const loadAverage = rounded(loadavg()[0] ?? 0, 2);
  const directory = await mkdtemp(path.join(tmpdir(), "touchstone-bench-"));
  try {
    console.error("bundling");
    const laid = await layOutAll(directory);
    const program = path.join(directory, "import-timer.mjs");
    await writeFile(program, timer);
    for (let round = 1; round <= rounds; round += 1) {
      for (const { module, timed } of laid) timed.push(await importOnce(program, module));
      console.error(`round ${round} of ${rounds}`);
    }
    return { ...report(laid), rounds, loadAverage };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function layOutAll(directory: string): Promise<Laid[]> {
  const [hops, bare, layers] = await Promise.all([
    buildFunctions(path.join(directory, "hops")),
    buildFunctions(path.join(directory, "bare"), path.join(import.meta.dirname, "bare")),
    buildLayers(path.join(directory, "layers"), hostTarget()),
  ]);
  const layOut = async ({ name, bytes, directory: bundle }: BuiltFunction): Promise<Laid> => {
    const { task } = await layOutFunction({
      workDirectory: path.join(directory, "lambda"),
      functionId: name,
      bundle,
      layers: [layers.core, layers.media],
    });
    return { name, bytes, module: pathToFileURL(path.join(task, "index.mjs")).href, timed: [] };
  };
  const laid: Laid[] = [];
  // One after the other: they share the copies of the layers.
  for (const built of [...bare, ...hops]) laid.push(await layOut(built));
  return laid;
}

/** Handlers read their environment as they are loaded; nothing is called. */
const environment = {
  PATH: process.env.PATH,
  ...Object.fromEntries(environmentNames.map((name) => [name, "http://127.0.0.1:9/name"])),
  // A list of hosts, which are no addresses.
  MEDIA_HOSTS: "",
  TIME_SCALE: "1",
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "bench",
  AWS_SECRET_ACCESS_KEY: "bench-secret",
  AWS_LAMBDA_FUNCTION_NAME: "bench",
};

async function importOnce(program: string, module: string): Promise<Timed> {
  const { stdout } = await execute(process.execPath, [program, module], { env: environment });
  return timedSchema.parse(JSON.parse(stdout));
}

function report(laid: readonly Laid[]): object {
  const rows = laid.map(({ name, bytes, timed }) => ({
    name,
    bytes,
    importMs: rounded(median(timed.map(({ ms }) => ms)), 1),
    importCpuMs: rounded(median(timed.map(({ cpuMs }) => cpuMs)), 1),
  }));
  const [bare, ...functions] = rows;
  return {
    bare,
    functions: functions.map((row) => ({
      ...row,
      overBareMs: rounded(row.importMs - (bare?.importMs ?? 0), 1),
    })),
  };
}
