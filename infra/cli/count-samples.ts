/** How many samples a batch file on this machine holds: for an estimate, so lines are counted and not looked into. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse";

/** Non-blank lines; in CSV, records without the header. `onBroken` is thrown where the file cannot be read to its end. */
export const countSamples = async (file: string, onBroken: (cause: unknown) => Error): Promise<number> => {
  try {
    if (file.endsWith(".csv")) return await countRecords(file);
    return file.endsWith(".gz")
      ? await pipeline(createReadStream(file), createGunzip(), countLines)
      : await pipeline(createReadStream(file), countLines);
  } catch (error) {
    throw onBroken(error);
  }
};

const newline = 0x0a;
/** Space, tab and carriage return. */
const blank: readonly number[] = [0x20, 0x09, 0x0d];

const countLines = async (chunks: AsyncIterable<Buffer>): Promise<number> => {
  let lines = 0;
  let isBlank = true;
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      if (byte === newline) isBlank = true;
      else if (isBlank && !blank.includes(byte)) {
        isBlank = false;
        lines += 1;
      }
    }
  }
  return lines;
};

const countRecords = async (file: string): Promise<number> => {
  let records = 0;
  const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  await pipeline(createReadStream(file), parse(options), async (rows: AsyncIterable<unknown>) => {
    for await (const _row of rows) records += 1;
  });
  return Math.max(0, records - 1);
};
