/** How a sample and its gists travel: inside their message, or by pointer where they are large. */
import { permanent } from "@touchstone/core/errors";
import type { BlobStore } from "@touchstone/core/ports";
import { gistListSchema, type PlacedGist } from "@touchstone/core/schema/gist";
import type { ObjectRef, SampleKey } from "@touchstone/core/schema/identity";
import type { GistPayload, SamplePayload } from "@touchstone/core/schema/review";
import { type Sample, sampleSchema } from "@touchstone/core/schema/sample";

/** Beyond this a sample goes by pointer, so that gists and a review task still fit beside it. */
export const inlineBytes = 160 * 1024;
/** A review task holds the sample and the gists, and what the judge said, in an item of 400 KB. */
export const inlineGistBytes = 120 * 1024;
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
  return { pointer: await stage(text, "samples", key, blobs, resultsBucket) };
};

export const unpackSample = async (payload: SamplePayload, blobs: BlobStore): Promise<Sample> => {
  if ("sample" in payload) return payload.sample;
  const parsed = sampleSchema.safeParse(await readStaged(payload.pointer, blobs));
  if (!parsed.success) throw permanent("bad-message", "a staged sample does not fit the sample schema");
  return parsed.data;
};

/** The same for the gists of a sample with many pictures, or with long ones. */
export const packGists = async (
  gists: PlacedGist[],
  key: SampleKey,
  blobs: BlobStore,
  resultsBucket: string,
): Promise<GistPayload> => {
  const text = JSON.stringify(gists);
  if (Buffer.byteLength(text) <= inlineGistBytes) return { gists };
  return { gists: [], gistsAt: await stage(text, "sample-gists", key, blobs, resultsBucket) };
};

export const unpackGists = async (
  { gists, gistsAt }: GistPayload,
  blobs: BlobStore,
): Promise<PlacedGist[]> => {
  if (gistsAt === undefined) return gists;
  const parsed = gistListSchema.safeParse(await readStaged(gistsAt, blobs));
  if (!parsed.success) throw permanent("bad-message", "staged gists do not fit the gist schema");
  return parsed.data;
};

const stage = async (
  text: string,
  folder: "samples" | "sample-gists",
  { batch, run, split, ordinal }: SampleKey,
  blobs: BlobStore,
  bucket: string,
): Promise<ObjectRef> => {
  const place = { bucket, key: `staging/${folder}/${batch}/${run}/${split}-${ordinal}.json` };
  await blobs.write(place, text, "application/json");
  return place;
};

const readStaged = async (place: ObjectRef, blobs: BlobStore): Promise<unknown> => {
  const { bytes } = await blobs.read(place, pointerBytes);
  return JSON.parse(new TextDecoder().decode(bytes));
};
