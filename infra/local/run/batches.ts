/** What `npm start` runs: the demo's tasks and batches, or the user's folders. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { timing } from "@touchstone/core/timing";
import type { Connection } from "../../cli/connection.ts";
import { submitFolder } from "../../cli/submit-folder.ts";
import { readTaskFiles } from "../../cli/submit-template.ts";
import { earlierBatches, submittedBefore } from "./earlier.ts";
import type { RunOptions } from "./options.ts";
import type { WatchedBatch } from "./progress.ts";
import { closingWords } from "./words.ts";

/** Whoever was asked by an earlier run is gone with it; its leases stand for as long as this, and no longer. */
export const heldReturnSeconds = Math.max(timing().lease.sample, timing().lease.gist) + 1;

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

/**
 * Submits the user's folders, or what of the demo is not there yet. Resolves with all that is to be watched: what was
 * submitted, and what an earlier run left in the data directory.
 */
export const beginBatches = async (
  connection: Connection,
  options: RunOptions,
  say: (line: string) => void,
): Promise<readonly WatchedBatch[]> => {
  const words = closingWords[options.language];
  const earlier = await earlierBatches(connection);
  const open = earlier.filter(({ decidedAt }) => decidedAt === undefined);
  if (open.length > 0) say(`  ${words.goesOn(open.length, heldReturnSeconds)}`);
  if (options.folders.length > 0) {
    const folders = options.folders.map((dir) => ({ dir, task: options.task, batch: undefined }));
    return distinct([...open, ...(await submit(connection, folders, options, say))]);
  }
  const demo = await demoBatches();
  const states = await Promise.all(
    demo.map(async (folder) => ({ folder, before: await submittedBefore(connection, folder) })),
  );
  const isDemoThere = states.some(({ before }) => before !== null);
  const missing = states.flatMap(({ folder, before }) => (before === null ? [folder] : []));
  // A directory with other batches was not meant for the demo; one with half of it was killed while submitting.
  const wanted = earlier.length === 0 || isDemoThere ? missing : [];
  if (wanted.length < demo.length) say(`  ${words.nothingNew(wanted.length)}`);
  for (const task of new Set(wanted.map((folder) => folder.task))) await publishTask(connection, task);
  const submitted = await submit(connection, wanted, options, say);
  return distinct([...earlier, ...states.flatMap(({ before }) => before ?? []), ...submitted]);
};

/** Templates are in place before the first batch file arrives. */
const submit = async (
  connection: Connection,
  folders: readonly Folder[],
  options: RunOptions,
  say: (line: string) => void,
): Promise<readonly WatchedBatch[]> => {
  const batches: WatchedBatch[] = [];
  for (const { dir, task, batch } of folders) {
    const { warnings, files } = await submitFolder(connection, dir, {
      task,
      batch,
      language: options.language,
    });
    for (const warning of warnings) say(`  ${warning}`);
    batches.push(...files.map(({ batchId }) => ({ batch: batchId, run: 1 })));
  }
  return batches;
};

const distinct = (batches: readonly WatchedBatch[]): readonly WatchedBatch[] => [
  ...new Map(batches.map(({ batch, run }) => [`${batch}#${run}`, { batch, run }])).values(),
];

interface Folder {
  readonly dir: string;
  readonly task: string | undefined;
  readonly batch: string | undefined;
}

interface DemoBatch extends Folder {
  readonly task: string;
  readonly batch: string;
}

const demoBatches = async (): Promise<readonly DemoBatch[]> => {
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
