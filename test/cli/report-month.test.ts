/** `report month` over a real ledger: figures, files for spreadsheets, and what it says when it is asked wrongly. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { monthWindow } from "@touchstone/core/domain/finance/month-window";
import { quarterHour } from "@touchstone/core/domain/ledger/tally";
import type { SplitTally } from "@touchstone/core/schema/ledger";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMonth } from "../../infra/cli/read-month.ts";
import { csvText } from "../../infra/cli/render/csv.ts";
import { batchId, batchRecord, splitRecord } from "../contract/records.ts";
import { startWorld, type World } from "./world.ts";

const quarter = (text: string): string => String(Date.parse(text) / quarterHour);
const first = quarter("2024-04-30T16:00:00Z");
const last = quarter("2024-05-31T15:45:00Z");
const before = quarter("2024-04-30T15:45:00Z");
const after = quarter("2024-05-31T16:00:00Z");

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const openedAt = Date.parse("2024-05-02T00:00:00Z");
  const run = async (name: string, number: number, tallies: readonly SplitTally[]): Promise<void> => {
    const batch = batchId(name);
    await world.ledger.open(batchRecord({ batch, run: number, openedAt, splitsSent: tallies.length }));
    // Four of its five samples are decided; where nothing is tallied, all are as if replayed elsewhere.
    for (const [split, tally] of tallies.entries())
      await world.ledger.putSplit(
        splitRecord({ batch, run: number, split, tally, outcomes: new Uint8Array([0x11, 0x21, 0]) }),
      );
  };
  await run("one", 1, [
    { shop: { [before]: { machine: 100 }, [first]: { machine: 6, review: 2 }, [last]: { machine: 1 } } },
    { shop: { [after]: { machine: 100 } }, quiz: { [first]: { machine: 1, invalid: 3 } } },
  ]);
  await run("one", 2, [{ shop: { [last]: { failed: 1, reviewed: 2, audited: 1 } } }]);
  await run("two", 1, [{ "-": { [last]: { invalid: 1 } } }]);
});
afterAll(async () => await world?.close());

const ask = (...args: readonly string[]) => world.cli("report", "month", ...args);
const may = ["--month", "2024-05", "--tz", "Asia/Shanghai"] as const;

describe("report month", () => {
  test("shows tasks, their total, runs where there was a replay, and who has no outcome", async () => {
    const { code, out } = await ask(...may);
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "2024-05 in Asia/Shanghai: from 2024-04-30T16:00Z until 2024-05-31T16:00Z",
      "",
      "task       samples  machine  review  invalid  failed  reviewed  audited  machine-review rate  human load  batches  runs",
      "(no task)        1        0       0        1       0         0        0                    –           –        1     1",
      "quiz             4        1       0        3       0         0        0               100.0%        0.0%        1     1",
      "shop            10        7       2        0       1         2        1                70.0%       30.0%        1     2",
      "total           15        8       2        4       1         2        1                72.7%       27.3%        2     3",
      "",
      "4 samples of batches opened by then have no outcome yet; they are in no figure above.",
    ]);
  });

  test("speaks Chinese, and of a month that goes on", async () => {
    const { out } = await ask("--month", "9999-12", "--tz", "utc", "--lang", "zh");
    expect(out).toMatch(
      /^9999-12（UTC）：自 9999-12-01T00:00Z 起，至 \+010000-01-01T00:00Z 前\n\n任务 {2}样本/,
    );
    expect(out).toContain("本月尚未结束");
  });

  test("prints JSON, of one task if asked", async () => {
    expect((await ask(...may, "--json")).json).toMatchObject({
      ...{ month: "2024-05", zone: "Asia/Shanghai", ended: true, undecided: 4 },
      ...{ start: "2024-04-30T16:00:00.000Z", end: "2024-05-31T16:00:00.000Z" },
      tasks: [
        { task: "-", total: 1 },
        { task: "quiz", total: 4 },
        { task: "shop", total: 10 },
      ],
      total: { total: 15, grossMachineReviewRate: 8 / 11, netHumanLoad: 3 / 11, batches: 2, runs: 3 },
    });
    const { json } = await ask(...may, "--task", "quiz", "--json");
    expect(json).toMatchObject({ tasks: [{ task: "quiz" }], total: { total: 4, runs: 1 } });
  });

  test("the months around it hold the rest", async () => {
    const totalOf = async (month: string) =>
      (await ask("--month", month, "--tz", "Asia/Shanghai", "--json")).json;
    expect(await totalOf("2024-04")).toMatchObject({ total: { total: 100 } });
    expect(await totalOf("2024-06")).toMatchObject({ total: { total: 100 } });
    expect((await ask("--month", "2024-05", "--tz", "UTC", "--json")).json).toMatchObject({
      total: { total: 103 },
    });
  });

  test("prints and writes CSV that a spreadsheet opens", async () => {
    const expected = [
      "\ufeffmonth,time zone,task,samples,machine,review,invalid,failed,reviewed,audited,machine-review rate,human load,batches,runs",
      "2024-05,Asia/Shanghai,(no task),1,0,0,1,0,0,0,,,1,1",
      "2024-05,Asia/Shanghai,quiz,4,1,0,3,0,0,0,1,0,1,1",
      "2024-05,Asia/Shanghai,shop,10,7,2,0,1,2,1,0.7,0.3,1,2",
      "2024-05,Asia/Shanghai,total,15,8,2,4,1,2,1,0.727273,0.272727,2,3",
    ];
    const { out } = await ask(...may, "--csv");
    expect(`${out}\n`).toBe(`${expected.join("\r\n")}\r\n`);
    const file = path.join(world.root, "may.csv");
    const written = await ask(...may, "--out", file, "--json", "--csv");
    expect(written).toMatchObject({ code: 0, json: { total: { total: 15 }, out: file } });
    expect(await readFile(file, "utf8")).toBe(`${expected.join("\r\n")}\r\n`);
  });

  test("writes JSON where only JSON is asked for", async () => {
    const file = path.join(world.root, "may.json");
    expect(await ask(...may, "--out", file, "--json")).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ month: "2024-05" });
  });

  test.each([
    [["--month", "2024-13", "--tz", "UTC"], 2, /"2024-13" is no month; write year and month like 2026-11/],
    [["--month", "2024-05", "--tz", "Shanghai"], 2, /no time zone "Shanghai"; did you mean Asia\/Shanghai\?/],
    [["--month", "2024-05", "--tz", "CST"], 2, /no time zone "CST"; use an IANA name like Asia\/Shanghai/],
    [["--month", "2024-05", "--tz", "+08:00", "--lang", "zh"], 2, /没有时区“\+08:00”；请用 IANA 名称/],
    [["--month", "2024-05", "--tz", "UTC", "--csv", "--json"], 2, /give --csv or --json, not both/],
    [["--month", "2024-05"], 2, /required option '--tz <zone>' not specified/],
    [["--month", "2024-05", "--tz", "UTC", "--out", "/nowhere/x.csv"], 1, /cannot write \/nowhere\/x\.csv: /],
  ])("%j says what is right", async (args, code, message) => {
    expect(await ask(...args)).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  test("whoever waits for a long ledger hears how far it is", async () => {
    const heard: number[][] = [];
    const connection = await world.connect();
    const window = monthWindow({ year: 2024, month: 5 }, "UTC");
    await readMonth(connection, window, undefined, (batches, splits) => void heard.push([batches, splits]));
    connection.close();
    expect(heard.at(-1)).toEqual([3, 4]);
    expect(heard).toHaveLength(3);
  });

  test("its help has examples", async () => {
    for (const command of [["report"], ["report", "month"]]) {
      const { code, out } = await world.cli(...command, "--help");
      expect([code, /Examples?:\n {2}npm run touchstone -- report month/.test(out)]).toEqual([0, true]);
    }
  });
});

describe("CSV", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+8613800000000", "'+8613800000000"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", `"'\t=1"`],
    ["\r=1", `"'\r=1"`],
    ['say "hi"', '"say ""hi"""'],
    ['=A1&"x",y', `"'=A1&""x"",y"`],
    ["两行\n字", '"两行\n字"'],
    ["a,b", '"a,b"'],
    [" x", '" x"'],
    ["机审", "机审"],
  ])("the cell %j is %j", (cell, expected) => {
    expect(csvText([[cell]])).toBe(`\ufeff${expected}\r\n`);
  });

  test("numbers are plain and nothing is an empty cell", () => {
    expect(csvText([[-1.5, null, 0]])).toBe("\ufeff-1.5,,0\r\n");
  });
});
