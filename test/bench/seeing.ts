/** How well pictures are read and sorted: `npm run bench -- seeing [--ocr DIR] [--captions] [--strategy DIR]`. */
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureCaptions } from "./seeing/captions.ts";
import { measureOcr } from "./seeing/ocr.ts";
import { processUsage } from "./seeing/process-usage.ts";
import { measureStrategy } from "./seeing/strategy.ts";

export const describe =
  "OCR character errors, and the strategy classifier's confusion: [--ocr DIR] [--captions] [--strategy DIR]";

const screens = path.resolve(import.meta.dirname, "../../../shared/data/ocr-screens");

export const help = `Options
  --ocr DIR        pictures and a gt.json: {"file": ["line", …]} (../shared/data/ocr-screens, where that exists)
  --captions       also what the captioner copies of them: $CAPTIONER_URL, else the embedded one
  --strategy DIR   folders text/, mixed/ and picture/ with pictures in them, at any depth; a folder below is a group

Every picture goes through the normaliser first, as in a batch.
ocr        cer: edit distance ÷ characters that stand there. Both sides are NFKC with all whitespace removed, so how lines
           are cut and spaced does not count; their order does. Latency is of the reader alone, in this process.
captions   the same for the lines that the captioner copies in the style for text, its own marks left out.
strategy   accuracy and confusion (rows: the truth) of the style that a picture gets: unsure ones get mixed.
           twoClass: text and picture folders only, by the larger of the two probabilities.
           Latency is of one call over HTTP to the server that the container runs; cpuMsPerImage is that server's CPU time.
memory     peak resident MB: of this process with the reader in it, of the strategy server.
Null where a part was not measured.`;

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ocr: { type: "string" },
      captions: { type: "boolean", default: false },
      strategy: { type: "string" },
    },
  });
  const say = (line: string): void => console.error(line);
  const ocrFolder = values.ocr ?? (existsSync(path.join(screens, "gt.json")) ? screens : null);
  const ocr = ocrFolder === null ? null : await measureOcr(ocrFolder, say);
  const reader = ocr === null ? null : ((await processUsage(process.pid))?.peakMb ?? null);
  const captions = ocrFolder !== null && values.captions ? await measureCaptions(ocrFolder, say) : null;
  const strategy = values.strategy === undefined ? null : await measureStrategy(values.strategy, say);
  return { ocr, captions, strategy, memory: { readerMb: reader, strategyMb: peakOf(strategy) } };
}

const peakOf = (measured: object | null): unknown =>
  measured !== null && "peakMb" in measured ? measured.peakMb : null;
