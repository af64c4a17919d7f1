/** Fetches locked packages for a platform that is not this machine's, with npm. Called by the media layer's build. */
import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { LockedPackage } from "./closure.ts";
import type { NativeTarget } from "./native-target.ts";

/**
 * Installs exactly the packages of `closure` for `target` below `cache`, unless they are there already,
 * and returns their `node_modules`. npm checks each against the integrity in the project's lock file.
 * Throws, with the way out, when the registry cannot be reached.
 */
export const fetchPackages = async (
  cache: string,
  closure: ReadonlyMap<string, LockedPackage>,
  target: NativeTarget,
): Promise<string> => {
  const modules = path.join(cache, "node_modules");
  if (await isDirectory(modules)) return modules;
  const draft = `${cache}.${process.pid}.draft`;
  await mkdir(draft, { recursive: true });
  await writeFile(path.join(draft, "package.json"), JSON.stringify(manifestOf(closure)));
  await writeFile(path.join(draft, "package-lock.json"), JSON.stringify(lockOf(closure)));
  try {
    await npmCi(draft, closure, target);
    await publish(draft, cache);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return modules;
};

const npmCi = async (
  directory: string,
  closure: ReadonlyMap<string, LockedPackage>,
  { os, cpu, libc }: NativeTarget,
): Promise<void> => {
  const flags = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--fetch-retries=1",
    `--os=${os}`,
    `--cpu=${cpu}`,
  ];
  if (libc !== null) flags.push(`--libc=${libc}`);
  try {
    await promisify(execFile)("npm", ["ci", ...flags], { cwd: directory });
    await requireAll(path.join(directory, "node_modules"), closure.keys());
  } catch (cause) {
    throw new Error(
      `could not fetch the native packages of the media layer for ${os}-${cpu}: is the npm registry reachable? ` +
        "It is needed for the first synthesis only; without it, synthesise for this machine: --native host",
      { cause },
    );
  }
};

/** Two builds may fetch at once; the first to finish wins and the other's copy is as good. */
const publish = async (draft: string, cache: string): Promise<void> => {
  try {
    await rename(draft, cache);
  } catch (error) {
    if (!(await isDirectory(cache))) throw error;
  }
};

/**
 * A lock file of its own for npm. Packages for the foreign platform stay optional, as they are in the project's
 * lock: npm heeds `--os` and `--cpu` for optional packages only and refuses others.
 */
const lockOf = (closure: ReadonlyMap<string, LockedPackage>): object => {
  const packages = [...closure].map(([name, entry]) => [
    `node_modules/${name}`,
    { ...entry, optionalDependencies: pick(entry.optionalDependencies, closure) },
  ]);
  const manifest = manifestOf(closure);
  return {
    ...manifest,
    lockfileVersion: 3,
    requires: true,
    packages: { "": manifest, ...Object.fromEntries(packages) },
  };
};

const manifestOf = (closure: ReadonlyMap<string, LockedPackage>): object => {
  const versions = (optional: boolean): Record<string, string | undefined> =>
    Object.fromEntries(
      [...closure]
        .filter(([, entry]) => (entry.optional === true) === optional)
        .map(([name, entry]) => [name, entry.version]),
    );
  return {
    name: "media-layer",
    version: "0.0.0",
    private: true,
    dependencies: versions(false),
    optionalDependencies: versions(true),
  };
};

const pick = (
  dependencies: Readonly<Record<string, string>>,
  closure: ReadonlyMap<string, LockedPackage>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(dependencies).filter(([name]) => closure.has(name)));

/** npm leaves out an optional package that it cannot fetch, without an error. */
const requireAll = async (modules: string, names: Iterable<string>): Promise<void> => {
  for (const name of names)
    if (!(await isDirectory(path.join(modules, name)))) throw new Error(`npm left out ${name}`);
};

const isDirectory = (directory: string): Promise<boolean> =>
  readdir(directory).then(
    () => true,
    () => false,
  );
