/** The judge's fingerprint: everything that, when changed, voids a certificate. */
import { createHash } from "node:crypto";
import type { Template, TemplatePin } from "../../schema/template.ts";

/** Raised with every change of how prompts are built or answers are read. */
export const promptVersion = 1;

/** First 16 hex digits of a SHA-256 over model, prompt version, template version and decoding. */
export const judgeFingerprint = (model: string, pin: TemplatePin, template: Template): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        model,
        promptVersion,
        pin.task,
        pin.versionId,
        pin.examplesVersionId ?? null,
        template.judge,
      ]),
    )
    .digest("hex")
    .slice(0, 16);

/** SHA-256 of a prompt, hex; with the pinned template it is rebuilt and compared. */
export const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");
