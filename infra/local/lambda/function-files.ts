/** Lays a function out on disk as Lambda does: a copy of the deployed bundle, with the layers' modules above it. */
import { constants, cp, mkdir, readdir, realpath, rename, rm, stat, symlink } from "node:fs/promises";
import path from "node:path";

export interface FunctionFiles {
  /** The bundle's directory; the handler's file is inside. */
  readonly task: string;
  /** Everything the function may import, each with a trailing separator. */
  readonly roots: readonly string[];
}

/** Where a layer's node modules may be inside its zip, as Lambda's Node 24 runtime looks for them. */
const moduleFolders = [path.join("nodejs", "node_modules"), path.join("nodejs", "node24", "node_modules")];

/**
 * Copies bundle and layers below `workDirectory` (a content-addressed asset that is already there is reused) and
 * links the layers' packages into a `node_modules` beside the bundle. Later layers win, as they do in `/opt`.
 */
export async function layOutFunction(options: {
  readonly workDirectory: string;
  readonly functionId: string;
  readonly bundle: string;
  readonly layers: readonly string[];
}): Promise<FunctionFiles> {
  const home = path.join(options.workDirectory, "functions", options.functionId);
  await rm(home, { recursive: true, force: true });
  const task = path.join(home, "task");
  await copy(options.bundle, task);
  const modules = path.join(home, "node_modules");
  await mkdir(modules, { recursive: true });
  const roots = [home];
  for (const layer of options.layers) {
    const copied = path.join(options.workDirectory, "layers", path.basename(layer));
    await copyOnce(layer, copied);
    roots.push(copied);
    for (const folder of await moduleFoldersOf(copied)) await linkPackages(folder, modules);
  }
  // Node compares real paths, and temporary directories are links on some systems.
  const real = await Promise.all(roots.map((root) => realpath(root)));
  return { task, roots: real.map((root) => root + path.sep) };
}

async function moduleFoldersOf(layer: string): Promise<string[]> {
  for (const entry of await readdir(layer, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== "nodejs")
      throw new Error(
        `layer ${layer} holds ${entry.name}/: only nodejs/ can be mounted here, as there is no /opt`,
      );
  const folders = moduleFolders.map((folder) => path.join(layer, folder));
  const present = await Promise.all(folders.map(exists));
  return folders.filter((_, index) => present[index]);
}

/** Links every package of `from` into `into`; scopes become folders, since two layers may share one. */
async function linkPackages(from: string, into: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (name.startsWith("@")) {
      await mkdir(path.join(into, name), { recursive: true });
      await linkPackages(path.join(from, name), path.join(into, name));
    } else {
      await rm(path.join(into, name), { force: true });
      await symlink(path.join(from, name), path.join(into, name), "junction");
    }
  }
}

/** Copies through a temporary name, so that an interrupted copy is never mistaken for a whole one. */
async function copyOnce(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  const partial = `${to}.partial-${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  await copy(from, partial);
  await rename(partial, to);
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
