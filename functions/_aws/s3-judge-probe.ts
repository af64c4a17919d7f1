/** Records of probed judges, beside the templates in the uploads bucket. SCORE reads its own judge's; the CLI writes. */
import { probeHash, probeKey } from "@touchstone/core/domain/probe/probe-identity";
import { errorCode } from "@touchstone/core/errors";
import type { BlobStore, Clock } from "@touchstone/core/ports";
import { type ProbeRecord, probeRecordSchema } from "@touchstone/core/schema/probe";
import { parseStored } from "./stored.ts";

const maxRecordBytes = 64 * 1024;
/** A new probe takes effect after this long at most; without it every sample would cost a call. */
const freshMs = 60_000;

/** The short hash of the newest record of that judge; null where it was never probed. */
export const s3JudgeProbe = (
  blobs: BlobStore,
  bucket: string,
  judge: { readonly url: string; readonly model: string },
  clock: Clock,
): (() => Promise<string | null>) => {
  const key = probeKey(judge.url, judge.model);
  let looked: { readonly at: number; readonly answer: Promise<string | null> } | null = null;
  return () => {
    if (looked && clock() - looked.at < freshMs) return looked.answer;
    const answer = readRecord(blobs, bucket, key).then((record) => (record ? probeHash(record) : null));
    looked = { at: clock(), answer };
    answer.catch(() => {
      looked = null;
    });
    return answer;
  };
};

const readRecord = async (blobs: BlobStore, bucket: string, key: string): Promise<ProbeRecord | null> => {
  try {
    const { bytes } = await blobs.read({ bucket, key }, maxRecordBytes);
    return parseStored(
      probeRecordSchema,
      JSON.parse(new TextDecoder().decode(bytes)),
      `s3://${bucket}/${key}`,
    );
  } catch (error) {
    if (errorCode(error) === "object-missing") return null;
    throw error;
  }
};

/** Writes the record where SCORE looks for it; returns its URI. */
export const writeJudgeProbe = async (
  blobs: BlobStore,
  bucket: string,
  record: ProbeRecord,
): Promise<string> => {
  const key = probeKey(record.url, record.model);
  const text = `${JSON.stringify(probeRecordSchema.parse(record), null, 2)}\n`;
  await blobs.write({ bucket, key }, text, "application/json");
  return `s3://${bucket}/${key}`;
};
