/** What a sample belongs to: its `meta`, and what it is made of. The report compares the machine across these. */
import { contentParts } from "../../schema/content.ts";
import { type Sample, sampleParts } from "../../schema/sample.ts";

/** Longer values of `meta` are remarks, not strata. */
const longestValue = 64;

export interface SampleStrata {
  readonly strata: Readonly<Record<string, string>>;
  /** Characters of the judged output, the candidates or the assistant's messages. */
  readonly length: number;
}

/** `modality` is taken from `meta` where it stands there, else from the parts: text, image, video or mixed. */
export const sampleStrata = (sample: Sample): SampleStrata => ({
  strata: {
    modality: modalityOf(sample),
    ...Object.fromEntries(
      Object.entries(sample.meta ?? {}).flatMap(([name, value]) => {
        const text = value === null ? "" : String(value);
        return text === "" || text.length > longestValue ? [] : [[name, text]];
      }),
    ),
  },
  length: judgedText(sample).length,
});

const modalityOf = (sample: Sample): string => {
  const types = new Set(sampleParts(sample).map(({ type }) => type));
  types.delete("text");
  const [only, ...others] = types;
  if (only === undefined) return "text";
  return others.length === 0 ? only : "mixed";
};

const judgedText = (sample: Sample): string =>
  [
    ...contentParts(sample.output),
    ...(sample.candidates ?? []).flatMap(({ output }) => contentParts(output)),
    ...(sample.messages ?? []).flatMap(({ role, content }) =>
      role === "assistant" ? contentParts(content) : [],
    ),
  ]
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
