/** Remembers when DynamoDB stored the result of each sample, as the table itself saw it. */
import type { Tap } from "../../infra/local/tap.ts";
import { isRecord, itemWrites } from "../item-writes.ts";
import { fileOf } from "./identity.ts";
import type { ChaosPlan } from "./plan.ts";

export interface Records {
  readonly tap: Tap;
  /** By the id that the judge sees; times are those of `performance.now()`. */
  readonly recordedAt: ReadonlyMap<string, number>;
}

export const createRecords = (plan: ChaosPlan): Records => {
  const samples = new Map(plan.lines.map(({ file, ordinal, sample }) => [`${file}#${ordinal}`, sample]));
  const recordedAt = new Map<string, number>();
  return {
    recordedAt,
    tap: {
      after(call, { status }) {
        if (status >= 300) return;
        for (const { item } of itemWrites(call).filter(isRecord)) {
          const [batch = "", , , ordinal] = item.split("#");
          const sample = samples.get(`${fileOf(batch)}#${ordinal}`);
          if (sample) recordedAt.set(sample, performance.now());
        }
      },
    },
  };
};
