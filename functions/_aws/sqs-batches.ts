/** Turns messages into SQS entries and packs them into calls that SQS accepts; used by sqs-sender.ts and by the CLI's redrive. */
import { permanent } from "@touchstone/core/errors";

/** SQS's limit for one message and for the messages of one call together. */
export const maxSqsBytes = 1_048_576;
const maxEntries = 10;

export interface Entry {
  /** Distinct within one send. */
  readonly id: string;
  readonly body: string;
  readonly bytes: number;
}

/**
 * JSON that every SQS takes. U+FFFE and U+FFFF are JSON but not XML, so SQS refuses them; characters beyond
 * U+FFFF it takes by its present documentation, and not by the one that others were built on. Their escapes
 * mean the same to any JSON reader.
 */
export const escapeForSqs = (json: string): string =>
  json.replace(
    /[\ud800-\udfff\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** One entry per message; a message over `bytesLimit` (UTF-8 bytes of its JSON) must travel by pointer. */
export const toEntries = (messages: readonly unknown[], bytesLimit: number): readonly Entry[] =>
  messages.map((message, index) => {
    const body = escapeForSqs(JSON.stringify(message));
    const bytes = Buffer.byteLength(body);
    if (bytes <= bytesLimit) return { id: String(index), body, bytes };
    throw permanent(
      "payload-too-large",
      `message ${index + 1} of ${messages.length} has ${bytes} bytes, over the queue's ${bytesLimit}; send a pointer to it instead`,
    );
  });

/** At most ten entries and `bytesLimit` bytes a batch, in order. */
export const packBatches = <Packed extends Pick<Entry, "bytes">>(
  entries: readonly Packed[],
  bytesLimit: number,
): readonly (readonly Packed[])[] => {
  const batches: Packed[][] = [];
  let room = 0;
  for (const entry of entries) {
    const last = batches.at(-1);
    if (last && last.length < maxEntries && entry.bytes <= room) {
      last.push(entry);
      room -= entry.bytes;
    } else {
      batches.push([entry]);
      room = bytesLimit - entry.bytes;
    }
  }
  return batches;
};
