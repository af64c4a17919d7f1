/** Character errors of the embedded reader on screens whose words are known: normaliser, then reader, as in a batch. */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import * as z from "zod";
import { sharpNormaliser } from "../../../functions/_aws/sharp-normaliser.ts";
import { joinTiles } from "../../../infra/endpoints/captioner/join-tiles.ts";
import { loadTextReader } from "../../../infra/endpoints/captioner/text-reader.ts";
import { decodeImage } from "../../../infra/endpoints/image-strategy/decode-image.ts";
import { quantile, rounded } from "../figures.ts";
import { characterErrors, errorRate } from "./character-errors.ts";

/** File name → the lines that stand in the picture, in reading order. */
const truthSchema = z.record(z.string(), z.array(z.string()));

/** Decoding as the captioner does it, at full size. */
const whole = { maxShortSide: Number.POSITIVE_INFINITY, maxLongSide: Number.POSITIVE_INFINITY };

export const readTruth = async (folder: string): Promise<z.infer<typeof truthSchema>> => {
  const file = path.join(folder, "gt.json");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${file} cannot be read; --ocr takes a folder of pictures with a gt.json beside them`, {
      cause,
    });
  });
  return truthSchema.parse(JSON.parse(text));
};

export const measureOcr = async (folder: string, say: (line: string) => void): Promise<object> => {
  const truth = await readTruth(folder);
  const normaliser = sharpNormaliser();
  const read = await loadTextReader(availableParallelism());
  const images = [];
  for (const [file, lines] of Object.entries(truth)) {
    const outcome = await normaliser.normalise(await readFile(path.join(folder, file)));
    if (outcome.kind !== "picture") throw new Error(`${file} is ${outcome.kind}: ${outcome.message}`);
    const started = performance.now();
    const { picture } = outcome;
    const tiles = [];
    for (const { bytes } of [picture, ...picture.more]) tiles.push(await decodeImage(bytes, whole));
    const found = (await read(joinTiles(tiles, picture.overlap))).map((line) => line.text);
    const ms = performance.now() - started;
    const counts = characterErrors(lines, found);
    images.push({ file, ...counts, cer: rounded(errorRate([counts]) ?? 0, 4), ms: Math.round(ms) });
    say(`${file}: ${counts.errors} of ${counts.characters} characters, ${Math.round(ms)} ms`);
  }
  const times = images.map(({ ms }) => ms);
  const cer = errorRate(images);
  return {
    cer: cer === null ? null : rounded(cer, 5),
    characters: images.reduce((sum, { characters }) => sum + characters, 0),
    errors: images.reduce((sum, { errors }) => sum + errors, 0),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    images,
  };
};
