/** Months of finance: half-open, in any zone, the same under any zone of the machine, and never a sample lost at a border. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { sumMonth } from "@touchstone/core/domain/finance/month-report";
import {
  formatMonth,
  type Month,
  monthOf,
  monthWindow,
  parseMonth,
  zoneNamed,
} from "@touchstone/core/domain/finance/month-window";
import { quarterHour } from "@touchstone/core/domain/ledger/tally";
import { ledgerEvents, type SplitTally } from "@touchstone/core/schema/ledger";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { batchId, splitRecord } from "../../contract/records.ts";

const utc = (text: string): number => Date.parse(text);
const month = (text: string): Month => {
  const parsed = parseMonth(text);
  if (!parsed) throw new Error(`${text} is no month`);
  return parsed;
};

describe("windows", () => {
  test.each([
    ["2026-11", "Asia/Shanghai", "2026-10-31T16:00:00Z", "2026-11-30T16:00:00Z"],
    ["2026-12", "UTC", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"],
    ["2026-11", "America/Los_Angeles", "2026-11-01T07:00:00Z", "2026-12-01T08:00:00Z"],
    ["2026-03", "Europe/Berlin", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"],
    ["2024-02", "Asia/Kathmandu", "2024-01-31T18:15:00Z", "2024-02-29T18:15:00Z"],
    ["2026-01", "Pacific/Chatham", "2025-12-31T10:15:00Z", "2026-01-31T10:15:00Z"],
    ["2026-07", "Pacific/Chatham", "2026-06-30T11:15:00Z", "2026-07-31T11:15:00Z"],
    ["2026-10", "Australia/Lord_Howe", "2026-09-30T13:30:00Z", "2026-10-31T13:00:00Z"],
    // Midnight of the 1st is skipped: the month begins at one o'clock.
    ["2023-10", "America/Asuncion", "2023-10-01T04:00:00Z", "2023-11-01T03:00:00Z"],
    // Midnight of the 1st is shown twice: the month begins at the first.
    ["2026-11", "America/Havana", "2026-11-01T04:00:00Z", "2026-12-01T05:00:00Z"],
    // A whole day is skipped, and it is not the first.
    ["2011-12", "Pacific/Apia", "2011-12-01T10:00:00Z", "2011-12-31T10:00:00Z"],
  ])("%s in %s", (name, zone, start, end) => {
    expect(monthWindow(month(name), zone)).toEqual({ start: utc(start), end: utc(end) });
  });

  test("in any zone and month, a month holds its own instants alone and ends where the next begins", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const cases = fc.record({
      zone: fc.constantFrom(...zones),
      year: fc.integer({ min: 2000, max: 2037 }),
      month: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(cases, ({ zone, ...asked }) => {
        const { start, end } = monthWindow(asked, zone);
        expect([start % quarterHour, end % quarterHour]).toEqual([0, 0]);
        expect(monthOf(start, zone)).toEqual(asked);
        expect(monthOf(end - 1, zone)).toEqual(asked);
        const next = monthOf(end, zone);
        expect(next.year * 12 + next.month).toBe(asked.year * 12 + asked.month + 1);
        expect(monthWindow(next, zone).start).toBe(end);
        const days = (end - start) / 86_400_000;
        // Clocks have moved by three hours (Antarctica/Casey), and by a day (Pacific/Apia).
        expect(days).toBeGreaterThanOrEqual(28 - 1);
        expect(days).toBeLessThanOrEqual(31 + 1);
      }),
      { numRuns: 60 },
    );
  });

  test.each(["2026-13", "2026-00", "2026-1", "26-01", "2026-11-01", " 2026-11", "0050-01", "1969-12", ""])(
    "%j is no month",
    (text) => expect(parseMonth(text)).toBeNull(),
  );

  test("a month is written as it is read", () => {
    for (const text of ["1970-01", "2026-11", "9999-12"]) expect(formatMonth(month(text))).toBe(text);
  });

  test.each([
    ["asia/shanghai", "Asia/Shanghai"],
    ["Asia/Kathmandu", "Asia/Kathmandu"],
    ["utc", "UTC"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["Etc/GMT+5", "Etc/GMT+5"],
    ["Asia/Beijing", null],
    ["CST", null],
    ["+08:00", null],
    ["local", null],
    ["", null],
  ])("the zone %j is %j", (name, expected) => {
    expect(zoneNamed(name)).toBe(expected);
  });
});

describe("the machine's own zone", () => {
  test("changes nothing (case 82)", async () => {
    const script = path.join(import.meta.dirname, "print-months.ts");
    const outputs = await Promise.all(
      ["UTC", "Asia/Shanghai", "America/Los_Angeles"].map(async (TZ) => {
        const { stdout } = await promisify(execFile)(process.execPath, [script], {
          env: { ...process.env, TZ },
        });
        return stdout;
      }),
    );
    expect(new Set(outputs).size).toBe(1);
    const printed: { zone: string; months: { total: number }[] }[] = JSON.parse(outputs[0] ?? "[]");
    expect(printed.map(({ zone, months }) => [zone, ...months.map(({ total }) => total)])).toEqual([
      ["Asia/Shanghai", 0, 1, 2, 1, 1],
      ["UTC", 0, 2, 2, 0, 1],
      ["America/Los_Angeles", 0, 2, 2, 1, 0],
      ["Asia/Kathmandu", 0, 2, 2, 0, 1],
      ["Pacific/Chatham", 0, 0, 2, 2, 1],
    ]);
  });
});

const quarter = (text: string): string => String(Math.floor(utc(text) / quarterHour));
const november = monthWindow(month("2026-11"), "Asia/Shanghai");

describe("reports", () => {
  test("rows per task, and their total", () => {
    const sums = sumMonth(november);
    const [first, second] = [batchId("one"), batchId("two")];
    const inside = quarter("2026-10-31T16:00:00Z");
    const tally: SplitTally = {
      shop: { [inside]: { machine: 7, review: 2, invalid: 1, reviewed: 1 } },
      quiz: { [quarter("2026-10-31T15:59:59Z")]: { machine: 4 }, [inside]: { invalid: 2 } },
    };
    const run = { openedAt: november.start };
    sums.add(splitRecord({ batch: first, samples: 5, tally }), run);
    sums.add(
      splitRecord({ batch: first, run: 2, tally: { shop: { [inside]: { failed: 1, audited: 3 } } } }),
      run,
    );
    sums.add(splitRecord({ batch: second, tally: { "-": { [inside]: { review: 1 } } } }), run);
    const report = sums.report();
    expect(report).toMatchObject({
      tasks: [
        { task: "-", total: 1, review: 1, batches: 1, runs: 1, grossMachineReviewRate: 0, netHumanLoad: 0 },
        { task: "quiz", total: 2, machine: 0, invalid: 2, grossMachineReviewRate: null, netHumanLoad: null },
        {
          ...{
            task: "shop",
            total: 11,
            machine: 7,
            review: 2,
            invalid: 1,
            failed: 1,
            reviewed: 1,
            audited: 3,
          },
          ...{ batches: 1, runs: 2, grossMachineReviewRate: 0.7, netHumanLoad: 0.4 },
        },
      ],
      total: { total: 14, machine: 7, invalid: 3, reviewed: 1, audited: 3, batches: 2, runs: 3 },
    });
    expect(report.total.grossMachineReviewRate).toBeCloseTo(7 / 11);
    expect(sums.report("quiz").total).toMatchObject({ total: 2, batches: 1 });
    expect(sums.report("nobody")).toMatchObject({ tasks: [], total: { total: 0, netHumanLoad: null } });
  });

  test("samples without an outcome are told for runs that were opened in time", () => {
    const sums = sumMonth(november);
    const split = splitRecord({ samples: 5, tally: {} });
    sums.add(split, { openedAt: november.end - 1 });
    sums.add(split, { openedAt: november.end });
    expect(sums.report().undecided).toBe(3);
  });

  test("the months of a year add up to the whole, event by event, in any zone", () => {
    const base = Number(quarter("2025-12-31T00:00:00Z"));
    const tallies = fc.dictionary(
      fc.constantFrom("shop", "quiz", "-"),
      fc.dictionary(
        fc.integer({ min: base, max: base + 96 * 367 }).map(String),
        fc.dictionary(fc.constantFrom(...ledgerEvents), fc.nat(50)),
      ),
    );
    const cases = fc.record({
      zone: fc.constantFrom(
        "Asia/Shanghai",
        "Asia/Kathmandu",
        "Pacific/Chatham",
        "America/St_Johns",
        "Africa/Cairo",
      ),
      tallies: fc.array(tallies, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(cases, ({ zone, tallies }) => {
        const windows = Array.from({ length: 16 }, (_, index) => {
          const at = 2025 * 12 + 10 + index;
          return monthWindow({ year: Math.floor(at / 12), month: (at % 12) + 1 }, zone);
        });
        const totals = windows.map((window) => {
          const sums = sumMonth(window);
          for (const tally of tallies) sums.add(splitRecord({ tally }), { openedAt: 0 });
          const report = sums.report();
          for (const event of ledgerEvents)
            expect(report.tasks.reduce((sum, row) => sum + row[event], 0)).toBe(report.total[event]);
          return report.total;
        });
        const all = tallies.flatMap((tally) => Object.values(tally)).flatMap((rows) => Object.values(rows));
        for (const event of ledgerEvents)
          expect(totals.reduce((sum, row) => sum + row[event], 0)).toBe(
            all.reduce((sum, counts) => sum + (counts[event] ?? 0), 0),
          );
      }),
      { numRuns: 40 },
    );
  });
});
