/** Takes a judge's fingerprint apart again: what it was made of is in the result, but for the probe, which lies in S3. */
import { fingerprintParts, judgeFingerprint } from "@touchstone/core/domain/decide/fingerprint";
import { probeHash } from "@touchstone/core/domain/probe/probe-identity";
import type { FingerprintParts } from "@touchstone/core/schema/certificate";
import { probeRecordSchema } from "@touchstone/core/schema/probe";
import type { Result } from "@touchstone/core/schema/result";
import type { Template } from "@touchstone/core/schema/template";
import type { Connection } from "./connection.ts";

const probesPrefix = "templates/_probes/";
const maxBytes = 64 * 1024;

/** `server` is "unknown" where no probe that is still there explains the fingerprint. */
export const partsOf = async (
  connection: Pick<Connection, "blobs" | "uploadsBucket">,
  result: Result,
  template: Template,
): Promise<FingerprintParts> => {
  const pin = result.template ?? undefined;
  const model = result.judge ?? "none";
  if (!pin) throw new Error(`the result of ${result.sampleId} names no template`);
  for (const probe of [null, ...(await probeHashes(connection))]) {
    if (judgeFingerprint(model, pin, template, probe) === result.fingerprint)
      return fingerprintParts(model, pin, template, probe);
  }
  return fingerprintParts(model, pin, template, "unknown");
};

const probeHashes = async ({
  blobs,
  uploadsBucket: bucket,
}: Pick<Connection, "blobs" | "uploadsBucket">): Promise<readonly string[]> => {
  const hashes: string[] = [];
  for await (const { key } of blobs.list(bucket, probesPrefix)) {
    const { bytes } = await blobs.read({ bucket, key }, maxBytes);
    const record = probeRecordSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (record.success) hashes.push(probeHash(record.data));
  }
  return hashes;
};
