/** Lists the files below a folder, at any depth. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { failure } from "./problem.ts";
import { submitProblems } from "./words/submit-words.ts";

export interface FolderFiles {
  /** Relative to the folder, with `/`. Links to files are files. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Links to folders (they may lead in a circle), sockets and the like. */
  readonly skipped: readonly string[];
}

export const folderFiles = async (dir: string): Promise<FolderFiles> => {
  const files: { path: string; bytes: number }[] = [];
  const skipped: string[] = [];
  for (const entry of await entriesOf(dir)) {
    if (entry.isDirectory()) continue;
    const full = path.join(entry.parentPath, entry.name);
    const relative = path.relative(dir, full).split(path.sep).join("/");
    const found = await statOrNull(full);
    if (found?.isFile()) files.push({ path: relative, bytes: found.size });
    else skipped.push(relative);
  }
  return { files, skipped };
};

const entriesOf = async (dir: string) => {
  try {
    return await readdir(dir, { recursive: true, withFileTypes: true });
  } catch (error) {
    throw failure(submitProblems.noFolder(dir), undefined, error);
  }
};

/** Null for a link that leads nowhere. */
const statOrNull = async (file: string) => {
  try {
    return await stat(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ELOOP"))
      return null;
    throw error;
  }
};
