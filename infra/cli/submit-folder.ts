/** Sends a folder: template and examples, then media, then the batch files, whose arrival starts the work. */
import { createReadStream } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import { batchIdOf } from "@touchstone/core/domain/intake/upload-key";
import type { BatchId } from "@touchstone/core/schema/identity";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import type { Connection } from "./connection.ts";
import { contentTypeOf } from "./content-type.ts";
import { type FolderFiles, folderFiles } from "./folder-files.ts";
import { failure } from "./problem.ts";
import { storeTemplate } from "./store-template.ts";
import { defaultBatchName, type PlannedFile, planSubmission, type SubmissionPlan } from "./submit-plan.ts";
import { readTaskFiles, type TaskFiles } from "./submit-template.ts";
import { submitProblems, submitWords } from "./words/submit-words.ts";

export interface Submission {
  readonly task: string;
  readonly batch: string;
  /** One per batch file: the ledger knows it by `batchId`, run 1. */
  readonly files: readonly { readonly key: string; readonly batchId: BatchId }[];
  /** How many media files were sent. */
  readonly media: number;
  readonly warnings: readonly string[];
}

export interface SubmitOptions {
  /** By default the one of `template.yaml`, else the folder's name. */
  readonly task?: string | undefined;
  /** By default the folder's name and the time. */
  readonly batch?: string | undefined;
  /** Where `template.yaml` and `examples.jsonl` are; by default the folder itself. */
  readonly templateDir?: string | undefined;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Of the warnings. */
  readonly language?: Language;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

export interface UploadProgress {
  readonly done: number;
  readonly total: number;
  readonly key: string;
}

type Ports = Pick<Connection, "blobs" | "uploadsBucket">;

const uploadsAtOnce = 8;
/** Functions remember a template for five seconds; a batch that came sooner could still get the one before. */
const templateRestMs = 5_500;

/** Everything is checked before anything is uploaded; problems name the file, the line and the field. */
export const submitFolder = async (
  connection: Ports,
  dir: string,
  options: SubmitOptions = {},
): Promise<Submission> => {
  const listed = await folderFiles(dir);
  const { plan, task } = await prepareSubmission(listed, dir, options);
  const words = submitWords[options.language ?? "en"];
  const { replaced, warnings } = await storeTemplate(connection, plan.task, task, words);
  if (replaced) await (options.sleep ?? setTimeout)(templateRestMs);
  const files = await uploadAll(connection, plan, dir, options);
  const empty = listed.files.filter(
    ({ path: name, bytes }) => bytes === 0 && plan.batchFiles.some((file) => file.path === name),
  );
  return {
    task: plan.task,
    batch: plan.batch,
    files,
    media: plan.media.length,
    warnings: [
      ...warnings,
      ...listed.skipped.map(words.skipped),
      ...empty.map((file) => words.emptyFile(file.path)),
    ],
  };
};

/** What would be sent, and the task's own files; nothing is uploaded yet. */
export const prepareSubmission = async (
  { files }: FolderFiles,
  dir: string,
  options: SubmitOptions,
): Promise<{ readonly plan: SubmissionPlan; readonly task: TaskFiles }> => {
  const folder = path.basename(path.resolve(dir));
  const task = await readTaskFiles(options.templateDir ?? dir);
  const owner = task.template?.value.task;
  const plan = planSubmission(
    files.map((file) => file.path),
    {
      folder: dir,
      task: options.task ?? owner ?? folder,
      batch: options.batch ?? defaultBatchName(folder, (options.now ?? Date.now)()),
    },
  );
  if (task.template && owner !== plan.task)
    throw failure(submitProblems.otherTask(task.template.file, owner ?? "", plan.task));
  if (options.templateDir !== undefined && !task.template)
    throw failure(submitProblems.noTemplateThere(options.templateDir));
  return { plan, task };
};

/** Media first, and the batch files last: their arrival starts the work. */
const uploadAll = async (
  connection: Ports,
  plan: SubmissionPlan,
  dir: string,
  { onProgress }: SubmitOptions,
): Promise<Submission["files"]> => {
  const { blobs, uploadsBucket: bucket } = connection;
  const total = plan.media.length + plan.batchFiles.length;
  let done = 0;
  const upload = async ({ path: name, key }: PlannedFile): Promise<void> => {
    await blobs.write({ bucket, key }, createReadStream(path.join(dir, name)), contentTypeOf(name));
    done += 1;
    onProgress?.({ done, total, key });
  };
  await inParallel(plan.media, uploadsAtOnce, upload);
  return inParallel(plan.batchFiles, 1, async (file) => {
    await upload(file);
    const head = await blobs.head({ bucket, key: file.key });
    if (head?.versionId === undefined) throw failure(submitProblems.notVersioned(bucket));
    return { key: file.key, batchId: batchIdOf(file.key, { versionId: head.versionId }) };
  });
};
