/** How a sample travels: inside its message, or by pointer where it is large. */
import { permanent } from "@touchstone/core/errors";
import type { BlobStore } from "@touchstone/core/ports";
import type { SampleKey } from "@touchstone/core/schema/identity";
import type { SamplePayload } from "@touchstone/core/schema/review";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";

/** Beyond this a sample goes by pointer, so that gists and a review task still fit beside it. */
export const inlineBytes = 160 * 1024;
const pointerBytes = 64 * 1024 * 1024;

/** Stores a large sample below `staging/`; the same sample always has the same key, so a repeat is harmless. */
export const packSample = async (
  sample: Sample,
  key: SampleKey,
  blobs: BlobStore,
  resultsBucket: string,
): Promise<SamplePayload> => {
  const text = JSON.stringify(sample);
  if (Buffer.byteLength(text) <= inlineBytes) return { sample };
  const pointer = {
    bucket: resultsBucket,
    key: `staging/samples/${key.batch}/${key.run}/${key.split}-${key.ordinal}.json`,
  };
  await blobs.write(pointer, text, "application/json");
  return { pointer };
};

export const unpackSample = async (payload: SamplePayload, blobs: BlobStore): Promise<Sample> => {
  if ("sample" in payload) return payload.sample;
  const { bytes } = await blobs.read(payload.pointer, pointerBytes);
  const parsed = sampleSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
  if (!parsed.success) throw permanent("bad-message", "a staged sample does not fit the sample schema");
  return parsed.data;
};
