/** What a kept data directory holds already, so that a second start goes on instead of beginning anew. */
import path from "node:path";
import { batchIdOf } from "@touchstone/core/domain/intake/upload-key";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Connection } from "../../cli/connection.ts";
import { folderFiles } from "../../cli/folder-files.ts";
import { planSubmission } from "../../cli/submit-plan.ts";
import type { WatchedBatch } from "./progress.ts";

/** Every batch that the ledger knows, in the order in which they were opened. */
export const earlierBatches = async ({
  ledger,
}: Pick<Connection, "ledger">): Promise<readonly BatchRecord[]> => {
  const records: BatchRecord[] = [];
  for await (const record of ledger.allBatches()) records.push(record);
  return records.sort((left, right) => left.openedAt - right.openedAt);
};

/**
 * The batches of a folder whose files have all been submitted under these names; null where one is missing. A file that
 * lies in S3 and is not in the ledger yet is on its way: its event waits on the uploads queue.
 */
export const submittedBefore = async (
  { blobs, uploadsBucket: bucket }: Pick<Connection, "blobs" | "uploadsBucket">,
  { dir, task, batch }: { readonly dir: string; readonly task: string; readonly batch: string },
): Promise<readonly WatchedBatch[] | null> => {
  const { files } = await folderFiles(dir);
  const paths = files.map((file) => file.path);
  const { batchFiles } = planSubmission(paths, { folder: path.basename(dir), task, batch });
  const found: WatchedBatch[] = [];
  for (const { key } of batchFiles) {
    const head = await blobs.head({ bucket, key });
    if (head?.versionId === undefined) return null;
    found.push({ batch: batchIdOf(key, { versionId: head.versionId }), run: 1 });
  }
  return found;
};
