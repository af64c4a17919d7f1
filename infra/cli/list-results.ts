/** The first results of a batch, in the order of its file. `results --batch` and the final table of `npm start` show them. */
import { outcomeAt } from "@touchstone/core/domain/ledger/split";
import type { SampleKey } from "@touchstone/core/schema/identity";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { Outcome } from "@touchstone/core/schema/outcome";
import { readSplits } from "./batch-view.ts";
import type { Connection } from "./connection.ts";
import { type FoundSample, keyOf, readSamples } from "./find-sample.ts";

export interface ResultPage {
  readonly samples: readonly FoundSample[];
  /** How many more there are of the kind asked for. */
  readonly more: number;
}

/** Outcomes are read from the ledger, so only the results that are shown are fetched. */
export const listResults = async (
  connection: Pick<Connection, "ledger" | "samples">,
  batch: BatchRecord,
  wish: { readonly limit: number; readonly outcome?: Outcome | undefined },
): Promise<ResultPage> => {
  const keys: SampleKey[] = [];
  for (const split of await readSplits(connection, batch)) {
    for (let ordinal = 0; ordinal < split.samples; ordinal += 1) {
      const outcome = outcomeAt(split, ordinal);
      if (outcome !== null && (wish.outcome === undefined || outcome === wish.outcome))
        keys.push(keyOf(split, ordinal));
    }
  }
  const samples = await readSamples(connection, batch, keys.slice(0, wish.limit));
  return { samples, more: Math.max(0, keys.length - wish.limit) };
};
