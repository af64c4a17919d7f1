/** `npm run bench -- NAME [--json] [options]`: runs one benchmark; a table of names and lazily loaded modules. */

/** A benchmark. Everything it says goes to stderr; what it measured is its result. */
export interface Bench {
  readonly describe: string;
  /** Its options and the fields of its result, in full. */
  readonly help?: string;
  run(options: readonly string[]): Promise<object>;
  /** Its result for people, where JSON is not what they want to read. */
  table?(result: object): string;
}

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  answers: () => import("./answers.ts"),
  baseline: () => import("./baseline.ts"),
  bundles: () => import("./bundles.ts"),
  certificate: () => import("./certificate.ts"),
  cost: () => import("./cost.ts"),
  decoupling: () => import("./decoupling.ts"),
  guarantee: () => import("./guarantee.ts"),
  injection: () => import("./injection.ts"),
  intake: () => import("./intake.ts"),
  seeing: () => import("./seeing.ts"),
  start: () => import("./start.ts"),
  throughput: () => import("./throughput.ts"),
  scale: () => import("./scale.ts"),
};

/** One line for each benchmark, from the modules themselves. */
async function usage(): Promise<string> {
  const lines = await Promise.all(
    Object.entries(benches).map(async ([name, load]) => `  ${name.padEnd(12)}${(await load()).describe}`),
  );
  return ["Usage: npm run bench -- NAME [--json] [options]", "", ...lines].join("\n");
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...options] = args.filter((arg) => arg !== "--json");
  if (name === undefined || name === "--help") {
    console.log(await usage());
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (!load) {
    console.error(`There is no benchmark "${name}".\n\n${await usage()}`);
    return 2;
  }
  const bench = await load();
  if (options.includes("--help")) {
    console.log(`${name}: ${bench.describe}${bench.help === undefined ? "" : `\n\n${bench.help}`}`);
    return 0;
  }
  const result = await bench.run(options);
  const read = (): string => bench.table?.(result) ?? JSON.stringify(result, null, 2);
  console.log(args.includes("--json") ? JSON.stringify(result) : read());
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
