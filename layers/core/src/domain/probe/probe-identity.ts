/** Which record belongs to which judge, and what of it voids a certificate when it changes. */
import { createHash } from "node:crypto";
import type { ProbeRecord } from "../../schema/probe.ts";

const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** One spelling for every way to write a judge's address; credentials in it are left out. */
export const judgeAddress = (url: string): string => {
  const plain = url.trim().replace(/\/+$/, "");
  // A server may lose its logprobs where it streams, so it is another judge then.
  if (plain.startsWith("stream+")) return `stream+${judgeAddress(plain.slice("stream+".length))}`;
  if (plain.startsWith("sagemaker:"))
    return `sagemaker:${plain.slice("sagemaker:".length).replace(/^\/+/, "")}`;
  return plain
    .replace(/\/v1$/, "")
    .replace(/\/+$/, "")
    .replace(/^(https?:\/\/)[^@/]*@/i, "$1");
};

/** Key of the record in the uploads bucket, beside the templates, which everybody who judges may read. */
export const probeKey = (url: string, model: string): string =>
  `templates/_probes/${short(`${judgeAddress(url)}\n${model}`)}.json`;

/** Part of the judge's fingerprint: the findings alone, since measures differ a little every time. */
export const probeHash = ({ answeredBy, findings }: ProbeRecord): string =>
  short(
    JSON.stringify([
      answeredBy,
      findings.reasoning,
      findings.guided,
      findings.guidedBy,
      findings.logprobs,
      findings.bytes,
      findings.topLogprobs,
      findings.steady,
    ]),
  );
