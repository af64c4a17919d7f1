/** Holds a data directory for one process at a time; the stack takes it before anything is opened. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface HeldDirectory {
  release(): void;
}

const lockFile = "lock.db";
const holderFile = "holder.pid";

/**
 * Creates the directory if need be and takes it. Throws where another process has it, naming that process. The lock is
 * the operating system's: it ends with its process, however that ends, and a reused process id cannot hold it.
 */
export function holdDataDirectory(directory: string): HeldDirectory {
  mkdirSync(directory, { recursive: true });
  const lock = new DatabaseSync(path.join(directory, lockFile));
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `the data directory ${directory} is in use by ${holderOf(directory)}: end that one first, or give another --data-dir`,
    );
  }
  writeFileSync(path.join(directory, holderFile), `${process.pid}\n`);
  return { release: () => lock.close() };
}

const sqliteBusy = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;

function holderOf(directory: string): string {
  try {
    return `process ${readFileSync(path.join(directory, holderFile), "utf8").trim()}`;
  } catch {
    // It has taken the lock and not yet written its name.
    return "another process";
  }
}
