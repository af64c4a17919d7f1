/** Builds the media layer: sharp with its native parts for one platform, and ffmpeg for any. Called by layers/build.ts. */
import { createHash } from "node:crypto";
import { access, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { closureOf, type LockedPackage, parseLock } from "./closure.ts";
import { fetchPackages } from "./fetch-packages.ts";
import { nativeMachine } from "./native-machine.ts";
import { hostTarget, type NativeTarget, sameTarget } from "./native-target.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");

const manifestSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** What no program reads at run time, such as the twin of ffmpeg that is there for `import`; licences stay. */
const pruned = /(^|\/)(src|install|include)(\/|$)|^dist\/esm\/ffmpeg-core\.|\.d\.[cm]?ts$|\.map$|\.md$/;
const licence = /licen[cs]e|notice/i;

/**
 * Builds the layer below `into` and returns its directory, `<into>/<cpu>`. For this machine the packages
 * are copied from `node_modules`; for another one they are fetched once and kept in `<into>/cache`.
 * A layer that is already built from the same locked packages is left as it is: it may be in use.
 */
export const buildMediaLayer = async (into: string, target: NativeTarget): Promise<string> => {
  const closure = await lockedClosure(target);
  const names = [...closure.keys()].sort();
  const key = keyOf(closure, target);
  const layer = path.join(into, target.cpu);
  const stampFile = `${layer}.stamp`;
  const stamp = await readFile(stampFile, "utf8").catch(() => null);
  if (stamp === key && (await exists(layer))) return layer;

  const source = sameTarget(target, hostTarget())
    ? path.join(projectRoot, "node_modules")
    : await fetchPackages(path.join(into, "cache", key), closure, target);
  const draft = `${layer}.${process.pid}.draft`;
  await rm(draft, { recursive: true, force: true });
  const modules = path.join(draft, "nodejs/node_modules");
  await mkdir(modules, { recursive: true });
  for (const name of names) await copyPackage(path.join(source, name), path.join(modules, name));
  await requireMachine(modules, target.cpu);
  await rm(layer, { recursive: true, force: true });
  await rename(draft, layer);
  await writeFile(stampFile, key);
  return layer;
};

/** The closure of the packages that `layers/media/package.json` pins; throws if the lock differs from it. */
const lockedClosure = async (target: NativeTarget): Promise<ReadonlyMap<string, LockedPackage>> => {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(path.join(import.meta.dirname, "package.json"), "utf8")),
  );
  const lock = parseLock(await readFile(path.join(projectRoot, "package-lock.json"), "utf8"));
  const closure = new Map<string, LockedPackage>();
  for (const [name, pinned] of Object.entries(manifest.dependencies)) {
    for (const [dependency, entry] of closureOf(lock, name, target)) closure.set(dependency, entry);
    const locked = closure.get(name)?.version;
    if (locked !== pinned)
      throw new Error(
        `layers/media/package.json pins ${name} ${pinned}, package-lock.json has ${locked}: make them equal`,
      );
  }
  return closure;
};

const copyPackage = (from: string, to: string): Promise<void> =>
  cp(from, to, {
    recursive: true,
    filter: (source) => {
      const inside = path.relative(from, source).split(path.sep).join("/");
      return !pruned.test(inside) || licence.test(inside);
    },
  });

/** A layer for the wrong processor fails at its first picture; here it fails at once, and by name. */
const requireMachine = async (modules: string, cpu: string): Promise<void> => {
  for (const file of await nativeFiles(modules)) {
    const machine = await nativeMachine(file);
    if (machine !== cpu)
      throw new Error(`media layer: ${file} is made for ${machine ?? "an unknown processor"}, not ${cpu}`);
  }
};

/** Native files (`.node`, `.so…`, `.dylib`, `.dll`) anywhere below `directory`. */
export const nativeFiles = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(node|dylib|dll|so(\.[\d.]+)?)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
};

const keyOf = (closure: ReadonlyMap<string, LockedPackage>, target: NativeTarget): string => {
  const packages = [...closure].map(([name, { version, integrity }]) => [name, version, integrity]).sort();
  const text = JSON.stringify({ target, packages, pruned: pruned.source });
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
