/** The judge's fingerprint: everything that, when changed, voids a certificate. */
import { createHash } from "node:crypto";
import type { FingerprintParts } from "../../schema/certificate.ts";
import type { ChatTurn } from "../../schema/chat.ts";
import type { Template, TemplatePin } from "../../schema/template.ts";

/** Raised with every change of how prompts are built or answers are read. */
export const promptVersion = 2;

/**
 * First 16 hex digits of a SHA-256 over model, prompt version, template version, decoding and, where the server was
 * probed, what the probe found.
 */
export const judgeFingerprint = (
  model: string,
  pin: TemplatePin,
  template: Template,
  probe: string | null = null,
): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        model,
        promptVersion,
        pin.task,
        pin.versionId,
        pin.examplesVersionId ?? null,
        template.judge,
        ...(probe === null ? [] : [probe]),
      ]),
    )
    .digest("hex")
    .slice(0, 16);

/** Marks by which served models tell in their names how their weights are stored. */
const quantisationMark =
  /(?<![a-z0-9])(awq|gptq|int[48]|fp8|nf4|bnb|w\d{1,2}a\d{1,2}|i?q\d(?:_[a-z0-9]+)*)(?![a-z0-9])/gi;

/** As far as the model's name says it; null where it does not. No server of the OpenAI protocol tells it otherwise. */
const quantisationOf = (model: string): string | null =>
  model.match(quantisationMark)?.join(" ").toLowerCase() ?? null;

/** What the fingerprint is made of, so that a change can be named. */
export const fingerprintParts = (
  model: string,
  pin: TemplatePin,
  template: Template,
  probe: string | null = null,
): FingerprintParts => ({
  model,
  quantisation: quantisationOf(model),
  prompt: `v${promptVersion}`,
  rubric: [
    `v${template.version}`,
    pin.versionId,
    ...(pin.examplesVersionId ? [pin.examplesVersionId] : []),
  ].join(" "),
  decoding: JSON.stringify(template.judge),
  server: probe,
});

/** The number in the part "rubric". */
export const templateVersionOf = ({ rubric }: FingerprintParts): number =>
  Number(/^v(\d+)/.exec(rubric)?.[1] ?? 0);

/** SHA-256 of the messages of a first call, hex; `touchstone results --prompt` rebuilds them and compares. */
export const promptSha256 = (messages: readonly ChatTurn[]): string => sha256(JSON.stringify(messages));

/** SHA-256 of a text in UTF-8, or of bytes, in hex. */
export const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");
