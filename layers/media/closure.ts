/** Finds every package the media layer needs on a platform, at locked versions. Called by its build. */
import * as z from "zod";
import type { NativeTarget } from "./native-target.ts";

const lockedPackageSchema = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  optional: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
});
export type LockedPackage = z.infer<typeof lockedPackageSchema>;

const lockSchema = z.looseObject({ packages: z.record(z.string(), lockedPackageSchema) });
export type Lock = z.infer<typeof lockSchema>;

/** Reads the text of a `package-lock.json` (version 2 or 3). */
export const parseLock = (text: string): Lock => lockSchema.parse(JSON.parse(text));

/**
 * The packages that `name` needs on `target`, itself included, by package name.
 * Optional dependencies count where their `os`, `cpu` and `libc` admit the target.
 * Throws if a package is not locked, or if two versions of one package would be needed.
 */
export const closureOf = (
  lock: Lock,
  name: string,
  target: NativeTarget,
): ReadonlyMap<string, LockedPackage> => {
  const closure = new Map<string, LockedPackage>();
  const visit = (wanted: string, from: string): void => {
    const found = locate(lock, wanted, from);
    if (found === null)
      throw new Error(
        `package-lock.json: ${wanted}, which ${from || name} needs, is not locked: run "npm install"`,
      );
    const standing = closure.get(wanted);
    if (standing === found.entry) return;
    if (standing !== undefined)
      throw new Error(
        `package-lock.json: ${name} needs two versions of ${wanted}; a flat layer holds only one`,
      );
    closure.set(wanted, found.entry);
    for (const dependency of Object.keys(found.entry.dependencies)) visit(dependency, found.path);
    for (const dependency of Object.keys(found.entry.optionalDependencies)) {
      const optional = locate(lock, dependency, found.path);
      if (optional !== null && admits(optional.entry, target)) visit(dependency, found.path);
    }
  };
  visit(name, "");
  return closure;
};

/** Node's rule: the nearest `node_modules` at or above the package that asks. */
const locate = (
  lock: Lock,
  name: string,
  from: string,
): { readonly path: string; readonly entry: LockedPackage } | null => {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    const path = base === "" ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    const entry = lock.packages[path];
    if (entry !== undefined) return { path, entry };
    if (base === "") return null;
  }
};

const admits = ({ os, cpu, libc }: LockedPackage, target: NativeTarget): boolean =>
  (os === undefined || os.includes(target.os)) &&
  (cpu === undefined || cpu.includes(target.cpu)) &&
  (libc === undefined || target.libc === null || libc.includes(target.libc));
