/** Character errors of what the captioner copies in the style for text: the words that a judge is really given. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { copyMark } from "@touchstone/core/domain/describe/caption-prompt";
import type { StrategyModel } from "@touchstone/core/ports";
import { sharpNormaliser } from "../../../functions/_aws/sharp-normaliser.ts";
import { seePicture } from "../../../infra/cli/see-picture.ts";
import { openSeeingModels } from "../../../infra/cli/seeing-models.ts";
import { rounded } from "../figures.ts";
import { characterErrors, errorRate } from "./character-errors.ts";
import { readTruth } from "./ocr.ts";

/** Marks of the captioner's own before a copied line: whose message it is, and that it is a heading. */
const ownMark = /^(?:【[左右中]】|\[(?:left|right|centre)\]\s*|【大字】|\[large\]\s*)/;

const alwaysText: StrategyModel = {
  version: "fixed",
  choose: async () => ({
    strategy: "text",
    probabilities: { text: 1, picture: 0, mixed: 0 },
    unsure: false,
    model: "text",
  }),
};

/** The copied lines; all lines of a captioner that does not mark what it copies. */
export const copiedLines = (caption: string): readonly string[] => {
  const lines = caption.split("\n").map((line) => line.trim());
  const copied = lines.flatMap((line) =>
    line.startsWith(copyMark.trim()) ? [line.slice(copyMark.trim().length).trim()] : [],
  );
  return (copied.length > 0 ? copied : lines).map((line) => line.replace(ownMark, ""));
};

export const measureCaptions = async (folder: string, say: (line: string) => void): Promise<object> => {
  const truth = await readTruth(folder);
  const models = await openSeeingModels(process.env, () => undefined);
  try {
    const ports = { ...models, strategy: alwaysText, normaliser: sharpNormaliser() };
    const images = [];
    for (const [file, lines] of Object.entries(truth)) {
      const bytes = await readFile(path.join(folder, file));
      const seen = await seePicture(file, bytes, "image", "zh", ports);
      if (seen.kind !== "gist") throw new Error(`${file}: ${seen.problem.message}`);
      const counts = characterErrors(lines, copiedLines(seen.gist.text));
      say(`${file}: ${counts.errors} of ${counts.characters} characters in the caption`);
      images.push({ file, ...counts, cer: rounded(errorRate([counts]) ?? 0, 4), flags: seen.gist.flags });
    }
    const cer = errorRate(images);
    return { cer: cer === null ? null : rounded(cer, 5), captioner: models.captioner.model, images };
  } finally {
    await models.stop();
  }
};
