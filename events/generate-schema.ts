/**
 * Writes the JSON Schema of every message and record into events/schema. `npm run schema` writes; with `--check` it
 * fails if a file is stale.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { jsonSchemas } from "./json-schemas.ts";

const folder = join(import.meta.dirname, "schema");

/** Files of the folder that differ from what the code says: missing, changed, or left over. */
export const staleSchemas = async (): Promise<readonly string[]> => {
  const wanted = jsonSchemas();
  const present = await readdir(folder).catch((): string[] => []);
  const changed = await Promise.all(
    [...wanted].map(async ([name, text]) => {
      const stored = present.includes(name) ? await readFile(join(folder, name), "utf8") : null;
      return stored === text ? [] : [name];
    }),
  );
  return [...changed.flat(), ...present.filter((name) => !wanted.has(name))].sort();
};

const write = async (): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of jsonSchemas()) await writeFile(join(folder, name), text);
};

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  if (!values.check) await write();
  const stale = await staleSchemas();
  if (stale.length > 0) {
    console.error(
      `events/schema is stale (${stale.join(", ")}); run "npm run schema" and commit what it writes`,
    );
    process.exitCode = 1;
  }
}
