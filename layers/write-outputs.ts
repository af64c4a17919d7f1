/** Writes what a bundler produced, touching only files that changed. Called by the layer and the function build. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Makes `directory` hold exactly `files` (by path relative to it) and nothing else.
 * Equal files stay untouched and others are swapped in whole, so that a program which is reading
 * the directory at this moment never meets half a file.
 */
export const writeOutputs = async (
  directory: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> => {
  await Promise.all(
    [...files].map(([name, content]) => writeIfChanged(path.join(directory, name), Buffer.from(content))),
  );
  const present = await readdir(directory, { recursive: true, withFileTypes: true });
  const stale = present
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !files.has(path.relative(directory, file).split(path.sep).join("/")));
  await Promise.all(stale.map((file) => rm(file, { force: true })));
};

const writeIfChanged = async (file: string, content: Buffer): Promise<void> => {
  const standing = await readFile(file).catch(ignoreMissing);
  if (standing !== null && content.equals(standing)) return;
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  await writeFile(draft, content);
  await rename(draft, file);
};

const ignoreMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};
