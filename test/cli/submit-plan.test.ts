import { describe, expect, test } from "vitest";
import { defaultBatchName, planSubmission } from "../../infra/cli/submit-plan.ts";

const names = { folder: "in/day", task: "shop", batch: "day-1" };

describe("the plan of a submission", () => {
  test("media keep their place, task files and litter are no part of the batch", () => {
    const plan = planSubmission(
      [
        "template.yaml",
        "samples.jsonl",
        "examples.jsonl",
        "media/b 100%+.png",
        "图/猫.jpg",
        ".DS_Store",
        "media/.hidden/x.png",
        "media/Thumbs.db",
        "more.jsonl.gz",
        "sub/part.csv",
        "sub/template.yaml",
      ],
      names,
    );
    expect(plan.batchFiles.map(({ key }) => key)).toEqual([
      "inbox/shop/day-1/more.jsonl.gz",
      "inbox/shop/day-1/samples.jsonl",
      "inbox/shop/day-1/sub/part.csv",
    ]);
    expect(plan.media.map(({ key }) => key)).toEqual([
      "inbox/shop/day-1/media/b 100%+.png",
      "inbox/shop/day-1/sub/template.yaml",
      "inbox/shop/day-1/图/猫.jpg",
    ]);
  });

  test("suffixes are put in lower case, or S3 would not announce the file", () => {
    const plan = planSubmission(["A.JSONL", "B.Csv", "c.jsonl.GZ"], names);
    expect(plan.batchFiles.map(({ path, key }) => [path, key.split("/").at(-1)])).toEqual([
      ["A.JSONL", "A.jsonl"],
      ["B.Csv", "B.csv"],
      ["c.jsonl.GZ", "c.jsonl.gz"],
    ]);
  });

  test.each([
    ["a folder without samples", ["a.png", "examples.jsonl"], names, /in\/day holds no samples/],
    [
      "a task that is no name",
      ["s.jsonl"],
      { ...names, task: "My Task" },
      /"My Task" is no task name.*--task/,
    ],
    ["a batch with a slash", ["s.jsonl"], { ...names, batch: "a/b" }, /"a\/b" is no batch name/],
    ["a batch that climbs", ["s.jsonl"], { ...names, batch: ".." }, /"\.\." is no batch name/],
    [
      "two files of one key",
      ["s.jsonl", "s.JSONL"],
      names,
      /two files would both become inbox\/shop\/day-1\/s\.jsonl/,
    ],
    [
      "a key that is too long",
      ["s.jsonl", `${"长".repeat(400)}.png`],
      names,
      /has 12\d\d bytes and S3 takes 1024/,
    ],
  ])("%s is told", (_, paths, given, message) => {
    expect(() => planSubmission(paths, given)).toThrow(message);
  });

  test("the batch is named after folder and time", () => {
    expect(defaultBatchName("今天", Date.UTC(2026, 2, 9, 10, 11, 12, 345))).toBe("今天-20260309T101112Z");
  });
});
