/** Names samples that are copies of each other, so that certificates count them once. Called for every judged sample. */
import { type Sample, sampleParts } from "../../schema/sample.ts";
import { hash64 } from "../intake/id-set.ts";

/** 64 bits, in hex, of all texts in NFKC and lower case, letters and digits only, and of the media's names. */
export const likenessOf = (sample: Sample): string => {
  const parts = sampleParts(sample).map((part) =>
    part.type === "text"
      ? part.text
          .normalize("NFKC")
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, "")
      : JSON.stringify(part),
  );
  return hash64(parts.join("\u0000"))
    .map((half) => half.toString(16).padStart(8, "0"))
    .join("");
};
