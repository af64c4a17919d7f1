/** Result files of batches small and large: joined or left in parts, and read back alike. */
import { emptyTallies, maxJoinedSplits, partKeys } from "@touchstone/core/domain/results/result-files";
import { expect, test } from "vitest";
import { writeBatchFiles } from "../../functions/settle/batch-files.ts";
import { resultStream } from "../../infra/cli/result-stream.ts";
import { batchRecord } from "../contract/records.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";

const resultsBucket = "results";

test.each([
  ["joined", maxJoinedSplits, true],
  ["left in parts", maxJoinedSplits + 1, false],
])("%s: %i splits are read back in order, and counted", async (_, splits, hasFile) => {
  const blobs = memoryBlobStore(() => 0);
  const write = (key: string, text: string) =>
    blobs.write({ bucket: resultsBucket, key }, text, "text/plain");
  const batch = batchRecord({
    sealed: { splits, samples: splits, at: 0 },
    finalSplits: new Set([1]),
  });
  for (let split = 0; split < splits; split += 1) {
    const keys = partKeys(batch, split, split === 1 ? "final" : "decided");
    await write(keys.results, `{"split":${split}}\n`);
    await write(keys.errors, "");
    await write(keys.tallies, JSON.stringify({ ...emptyTallies(), judgeCalls: 2 }));
  }
  const ports = { blobs, resultsBucket };
  await writeBatchFiles(batch, { kind: "decided", at: 0, revision: 1 }, ports);

  const text = Buffer.concat(await Array.fromAsync(resultStream(ports, batch))).toString();
  expect(text.trimEnd().split("\n")).toEqual(
    Array.from({ length: splits }, (_, split) => JSON.stringify({ split })),
  );
  const keys = (await Array.fromAsync(blobs.list(resultsBucket, ""))).map(({ key }) => key);
  expect(keys.some((key) => key.endsWith("/run-1/results.jsonl"))).toBe(hasFile);
  const summary = keys.find((key) => key.endsWith("summary.json")) ?? "";
  const { bytes } = await blobs.read({ bucket: resultsBucket, key: summary }, 1e6);
  expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ usage: { judgeCalls: 2 * splits } });
});
