/** Writes what a command was asked to write to a file. */
import { rename, rm, writeFile } from "node:fs/promises";
import { failure } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";

/** Written beside and renamed, so that the file is whole or as it was; a problem says why it cannot be. */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  const beside = `${file}.part`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    if (error instanceof Error && "syscall" in error)
      throw failure(problemWords.cannotWrite(file, error.message), undefined, error);
    throw error;
  }
};
