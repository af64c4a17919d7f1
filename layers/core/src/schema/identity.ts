/** How a batch, a run, a split and a sample are named; every hop and every record uses these. */
import * as z from "zod";

/** `<task>/<batch>/<name>@<versionId, or eTag+sequencer>`: one uploaded file, exactly once. */
export const batchIdSchema = z.string().min(3).max(1400).brand("BatchId");
export type BatchId = z.infer<typeof batchIdSchema>;

export const taskIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "a task name has 1 to 64 of a-z, 0-9 and -")
  .brand("TaskId");
export type TaskId = z.infer<typeof taskIdSchema>;

/** A sample's own partition: `batch#run#split#ordinal`. */
export const sampleKeySchema = z.strictObject({
  batch: batchIdSchema,
  /** 1 for the first pass over a file; a replay is a new run. */
  run: z.int().min(1),
  split: z.int().min(0),
  /** Position inside the split, counted over non-blank lines, bad ones included. */
  ordinal: z.int().min(0),
});
export type SampleKey = z.infer<typeof sampleKeySchema>;

/** The one text form of a sample key; injective, since only the batch may contain `#`. */
export const formatSampleKey = (key: SampleKey): string =>
  `${key.batch}#${key.run}#${key.split}#${key.ordinal}`;

/** Reads what {@link formatSampleKey} wrote; null for any other text. */
export const parseSampleKey = (text: string): SampleKey | null => {
  const match = /^(.+)#(\d+)#(\d+)#(\d+)$/s.exec(text);
  if (!match) return null;
  const [, batch, run, split, ordinal] = match;
  const parsed = sampleKeySchema.safeParse({
    batch,
    run: Number(run),
    split: Number(split),
    ordinal: Number(ordinal),
  });
  return parsed.success ? parsed.data : null;
};

/** A fixed version of an object; `versionId` is absent only where the bucket keeps none. */
export const objectRefSchema = z.strictObject({
  bucket: z.string().min(1),
  key: z.string().min(1),
  versionId: z.string().min(1).optional(),
});
export type ObjectRef = z.infer<typeof objectRefSchema>;
