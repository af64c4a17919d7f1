/** A rebuild touches only what changed, so that a running program keeps its files. */
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { writeOutputs } from "../../layers/write-outputs.ts";
import { scratch } from "./declared.ts";

test("equal files stay, changed ones are replaced, stale ones go", async () => {
  const directory = scratch();
  await writeOutputs(
    directory,
    new Map([
      ["same.js", "1"],
      ["sub/changed.js", "1"],
      ["stale.js", "1"],
    ]),
  );
  const before = await stat(path.join(directory, "same.js"));
  await writeOutputs(
    directory,
    new Map([
      ["same.js", "1"],
      ["sub/changed.js", "2"],
    ]),
  );
  const after = await stat(path.join(directory, "same.js"));
  expect(after.ino).toBe(before.ino);
  expect(await readFile(path.join(directory, "sub/changed.js"), "utf8")).toBe("2");
  expect((await readdir(directory)).sort()).toEqual(["same.js", "sub"]);
});
