/** Batch files of the inbox that became no batch; `status` tells of them. */

import { batchIdOf, inboxPrefix, readUploadPath } from "@touchstone/core/domain/intake/upload-key";
import type { LooseFile } from "@touchstone/core/domain/status/facts";
import type { BlobEntry } from "@touchstone/core/ports";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import type { Connection } from "./connection.ts";

/** Whoever asks waits for so many keys and no longer; SWEEP goes through the whole inbox. */
const keysRead = 10_000;
const filesAsked = 100;

/** The newest batch files of the inbox, as far as it is read, that no batch was made of; not older than `withinMs`. */
export const looseFiles = async (
  connection: Pick<Connection, "blobs" | "ledger" | "uploadsBucket">,
  now: number,
  withinMs: number,
): Promise<readonly LooseFile[]> => {
  const { blobs, ledger, uploadsBucket: bucket } = connection;
  const files: BlobEntry[] = [];
  let read = 0;
  for await (const entry of blobs.list(bucket, inboxPrefix)) {
    if (readUploadPath(entry.key).kind === "batch-file" && now - entry.modifiedAt < withinMs)
      files.push(entry);
    read += 1;
    if (read >= keysRead) break;
  }
  const newest = files.sort((left, right) => right.modifiedAt - left.modifiedAt).slice(0, filesAsked);
  const asked = await inParallel(newest, 8, async ({ key, modifiedAt }): Promise<readonly LooseFile[]> => {
    const head = await blobs.head({ bucket, key });
    if (head?.versionId === undefined) return [];
    const known = await ledger.batch(batchIdOf(key, { versionId: head.versionId }), 1);
    return known ? [] : [{ key, modifiedAt }];
  });
  return asked.flat();
};
