/** Damage of a batch file itself, told apart from a failing storage; the readers throw it, read-batch-file.ts catches it. */
import { type PipelineError, permanent } from "@touchstone/core/errors";

/** What is wrong, in words for the person who sent the file. */
export const damaged = (message: string, cause?: unknown): PipelineError =>
  permanent("bad-file", message, { cause });
