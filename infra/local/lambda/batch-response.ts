/** Reads a function's answer to an SQS batch: which messages failed. Lambda's rules, pure; used by the event source. */
import * as z from "zod";

const responseSchema = z.looseObject({
  batchItemFailures: z
    .array(z.looseObject({ itemIdentifier: z.string().min(1) }))
    .nullish()
    .transform((failures) => failures ?? []),
});

/**
 * Ids of the failed messages, a subset of `messageIds`. With `ReportBatchItemFailures`: no answer, or no failures in
 * it, means all succeeded; an answer that cannot be read, an empty id or one outside the batch fails everything.
 */
export function failedMessages(
  answer: unknown,
  messageIds: ReadonlySet<string>,
  reportsItemFailures: boolean,
): ReadonlySet<string> {
  if (!reportsItemFailures || answer === null || answer === undefined) return new Set();
  const parsed = responseSchema.safeParse(answer);
  if (!parsed.success) return messageIds;
  const failed = parsed.data.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => messageIds.has(id)) ? new Set(failed) : messageIds;
}
