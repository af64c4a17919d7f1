/** Which file of a folder becomes which object, and in which order; pure. Called by submit-folder.ts. */
import { batchFileSuffixes, inboxPrefix } from "@touchstone/core/domain/intake/upload-key";
import { taskIdSchema } from "@touchstone/core/schema/identity";
import { failure, usage } from "./problem.ts";
import { submitProblems } from "./words/submit-words.ts";

export interface PlannedFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly key: string;
}

export interface SubmissionPlan {
  readonly task: string;
  readonly batch: string;
  readonly media: readonly PlannedFile[];
  readonly batchFiles: readonly PlannedFile[];
}

/** Files of the task and not of the batch, where they lie at the top of the folder. */
export const templateFile = "template.yaml";
export const examplesFile = "examples.jsonl";
/** What file managers leave behind. */
const litter: readonly string[] = ["Thumbs.db", "desktop.ini"];
/** S3's limit for a key, in UTF-8. */
const maxKeyBytes = 1024;

/** `paths` are all files of the folder, relative to it and with `/`. Throws a problem that names what is wrong. */
export const planSubmission = (
  paths: readonly string[],
  names: { readonly folder: string; readonly task: string; readonly batch: string },
): SubmissionPlan => {
  const task = taskIdSchema.safeParse(names.task).data;
  if (task === undefined) throw usage(submitProblems.badTask(names.task));
  if (/^\.{0,2}$|\//.test(names.batch)) throw usage(submitProblems.badBatch(names.batch));
  const inbox = `${inboxPrefix}${task}/${names.batch}/`;
  const kept = paths.filter((path) => !isLitter(path)).sort();
  const own = kept.filter((path) => path !== templateFile && path !== examplesFile);
  const batchFiles = own.filter(isBatchFile).map((path) => ({ path, key: inbox + lowerSuffix(path) }));
  const media = own.filter((path) => !isBatchFile(path)).map((path) => ({ path, key: inbox + path }));
  if (batchFiles.length === 0) throw failure(submitProblems.noBatchFile(names.folder));
  checkKeys([...media, ...batchFiles]);
  return { task, batch: names.batch, media, batchFiles };
};

/** The batch name where none is given: the folder's name and the time in UTC, so that a repeat is a new batch. */
export const defaultBatchName = (folder: string, epochMs: number): string =>
  `${folder}-${new Date(epochMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

const isLitter = (path: string): boolean =>
  path.split("/").some((segment) => segment.startsWith(".") || litter.includes(segment));

const isBatchFile = (path: string): boolean =>
  batchFileSuffixes.some((suffix) => path.toLowerCase().endsWith(suffix));

/** S3 announces lower-case suffixes only, and `SAMPLES.CSV` would wait for ever. */
const lowerSuffix = (path: string): string => {
  const suffix = [...batchFileSuffixes]
    .sort((left, right) => right.length - left.length)
    .find((candidate) => path.toLowerCase().endsWith(candidate));
  return suffix === undefined ? path : path.slice(0, -suffix.length) + suffix;
};

const checkKeys = (files: readonly PlannedFile[]): void => {
  const seen = new Set<string>();
  for (const { key } of files) {
    const bytes = Buffer.byteLength(key);
    if (bytes > maxKeyBytes) throw failure(submitProblems.longKey(key, bytes));
    if (seen.has(key)) throw failure(submitProblems.twice(key));
    seen.add(key);
  }
};
