/** How a batch is called on a screen; pure. */
import type { BatchId } from "@touchstone/core/schema/identity";

/** The id without its task, which has a column of its own, and without the version of the file. */
export const shortBatchName = (batch: BatchId): string => {
  const at = batch.lastIndexOf("@");
  const path = at < 0 ? batch : batch.slice(0, at);
  const slash = path.indexOf("/");
  return slash < 0 ? path : path.slice(slash + 1);
};
