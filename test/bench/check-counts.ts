/** A benchmark's figure counts only if every sample ended as the fixed judge wanted; throughput and scale check it here. */
import * as z from "zod";
import type { Connection } from "../../infra/cli/connection.ts";
import { unsureOf } from "./bench-task.ts";

const summarySchema = z.looseObject({
  counts: z.looseObject({ total: z.number(), machine: z.number(), review: z.number() }),
});

/** Throws with the counts where the summary in `folder` says otherwise. */
export async function checkCounts(
  { blobs, resultsBucket }: Pick<Connection, "blobs" | "resultsBucket">,
  folder: string,
  samples: number,
): Promise<void> {
  const { bytes } = await blobs.read({ bucket: resultsBucket, key: `${folder}summary.json` }, 1_000_000);
  const { counts } = summarySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  const review = unsureOf(samples);
  if (counts.total !== samples || counts.machine !== samples - review || counts.review !== review)
    throw new Error(`the batch ended otherwise than planned: ${JSON.stringify(counts)}`);
}
