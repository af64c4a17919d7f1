/** Gathers what a judging prompt is made of. SCORE builds prompts from it, and the CLI builds the very same ones again. */
import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { askedFields } from "@touchstone/core/domain/judge/asked-fields";
import type { PromptInput } from "@touchstone/core/domain/judge/prompt";
import { recallExamples } from "@touchstone/core/domain/judge/recall";
import type { BlobStore, TemplateStore } from "@touchstone/core/ports";
import type { MediaProblem, PlacedGist } from "@touchstone/core/schema/gist";
import { formatSampleKey, type SampleKey } from "@touchstone/core/schema/identity";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Template, TemplatePin } from "@touchstone/core/schema/template";
import { pictureKey } from "./staged.ts";

/** All that a prompt depends on; two prompts of the same facts are the same to the byte. */
export interface PromptFacts {
  readonly key: SampleKey;
  readonly pin: TemplatePin;
  readonly template: Template;
  readonly sample: Sample;
  readonly gists: readonly PlacedGist[];
  readonly problems: readonly MediaProblem[];
}

export interface PromptPorts {
  readonly blobs: BlobStore;
  readonly templates: TemplateStore;
  readonly resultsBucket: string;
}

const maxPictureBytes = 8 * 1024 * 1024;

/** Reads the pinned examples and the staged pictures; one that is gone is the permanent error `object-missing`. */
export const promptInput = async (facts: PromptFacts, ports: PromptPorts): Promise<PromptInput> => {
  const { template, sample, gists, problems } = facts;
  const examples = await ports.templates.examples(facts.pin);
  // A copy under another name is shown where its content stands first.
  const contents = gists.filter(
    ({ gist }, index) => gists.findIndex((one) => one.gist.hash === gist.hash) === index,
  );
  const tiles = contents.flatMap(({ ref, gist }) =>
    Array.from({ length: gist.pieces ?? 1 }, (_, tile) => ({ ref, key: pictureKey(gist, tile) })),
  );
  const images = await Promise.all(
    tiles.map(async ({ ref, key }) => {
      const { bytes, head } = await ports.blobs.read({ bucket: ports.resultsBucket, key }, maxPictureBytes);
      const mediaType = head.contentType ?? "image/jpeg";
      return { ref, dataUrl: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
    }),
  );
  return {
    template,
    fields: askedFields(template),
    sample,
    examples: recallExamples(examples, sample, template.memory.examples),
    gists,
    problems,
    images,
    // The key holds the object version that S3 gave the file after it was written, so no author can know it.
    nonce: sha256(formatSampleKey(facts.key)).slice(0, 16),
  };
};
