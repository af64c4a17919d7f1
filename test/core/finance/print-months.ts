/** Prints the months of a fixed ledger; months.test.ts runs it under several time zones of the machine. */
import { sumMonth } from "../../../layers/core/src/domain/finance/month-report.ts";
import { monthWindow } from "../../../layers/core/src/domain/finance/month-window.ts";
import { applyEntries, newSplit } from "../../../layers/core/src/domain/ledger/split.ts";
import { batchIdSchema } from "../../../layers/core/src/schema/identity.ts";

const moments = [
  "2026-10-31T15:59:59Z",
  "2026-10-31T16:00:00Z",
  "2026-11-30T15:59:59Z",
  "2026-11-30T16:00:00Z",
  "2026-12-31T23:30:00-08:00",
].map((text) => Date.parse(text));
const { split } = applyEntries(
  newSplit(batchIdSchema.parse("shop/b/s.jsonl@v1"), 1, 0, moments.length, 1),
  moments.map((at, ordinal) => ({ ordinal, task: "shop", event: "machine", at })),
);
const months = [9, 10, 11, 12, 13].map((month) =>
  month > 12 ? { year: 2027, month: month - 12 } : { year: 2026, month },
);
const zones = ["Asia/Shanghai", "UTC", "America/Los_Angeles", "Asia/Kathmandu", "Pacific/Chatham"];
console.log(
  JSON.stringify(
    zones.map((zone) => ({
      zone,
      months: months.map((month) => {
        const window = monthWindow(month, zone);
        const sums = sumMonth(window);
        sums.add(split, { openedAt: 0 });
        return { ...window, total: sums.report().total.total };
      }),
    })),
  ),
);
