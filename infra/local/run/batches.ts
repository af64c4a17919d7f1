/** What `npm start` runs: the demo's tasks and batches, or the user's folders. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Connection } from "../../cli/connection.ts";
import { type Submission, submitFolder } from "../../cli/submit-folder.ts";
import { readTaskFiles } from "../../cli/submit-template.ts";
import type { RunOptions } from "./options.ts";

const events = path.resolve(import.meta.dirname, "../../../events");

/** A folder that is not there is said before anything is started. */
export const requireFolders = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) {
      throw new Error(`there is no folder ${folder}; give the folder that holds samples.jsonl`);
    }
  }
};

/** Submits everything; templates are in place before the first batch file arrives. */
export const submitAll = async (
  connection: Connection,
  options: RunOptions,
  say: (line: string) => void,
): Promise<readonly Submission[]> => {
  const folders =
    options.folders.length > 0
      ? options.folders.map((dir) => ({ dir, task: options.task, batch: undefined }))
      : await demoBatches(connection);
  const submissions: Submission[] = [];
  for (const { dir, task, batch } of folders) {
    const submission = await submitFolder(connection, dir, { task, batch, language: options.language });
    for (const warning of submission.warnings) say(`  ${warning}`);
    submissions.push(submission);
  }
  return submissions;
};

interface DemoBatch {
  readonly dir: string;
  readonly task: string;
  readonly batch: string;
}

const demoBatches = async (connection: Connection): Promise<readonly DemoBatch[]> => {
  for (const task of await folderNames(path.join(events, "tasks"))) await publishTask(connection, task);
  const tasks = await folderNames(path.join(events, "batches"));
  const batches = await Promise.all(
    tasks.map(async (task) =>
      (await folderNames(path.join(events, "batches", task))).map((batch) => ({
        dir: path.join(events, "batches", task, batch),
        task,
        batch,
      })),
    ),
  );
  return batches.flat();
};

/** The template comes last: with it the task begins to exist, and its examples must be there by then. */
const publishTask = async ({ blobs, uploadsBucket: bucket }: Connection, task: string): Promise<void> => {
  const { template, examples } = await readTaskFiles(path.join(events, "tasks", task));
  if (examples) {
    await blobs.write({ bucket, key: `templates/${task}/examples.jsonl` }, examples, "application/jsonl");
  }
  if (template) {
    await blobs.write({ bucket, key: `templates/${task}/template.yaml` }, template.bytes, "application/yaml");
  }
};

const folderNames = async (dir: string): Promise<readonly string[]> =>
  (await readdir(dir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
