/** The picture normaliser port on sharp: whatever people upload becomes one upright sRGB picture; DESCRIBE calls it. */
import { faultRules } from "@touchstone/core/domain/describe/picture-fault";
import { pictureBytes } from "@touchstone/core/domain/describe/picture-limits";
import {
  maxHeldPixels,
  maxPixels,
  minPixels,
  type PictureShape,
  type Size,
  shapePicture,
} from "@touchstone/core/domain/describe/picture-shape";
import { tilesToAsk } from "@touchstone/core/domain/describe/tile-strategy";
import type {
  NormalisedPicture,
  NormaliseOutcome,
  PictureNormaliser,
  PictureTile,
} from "@touchstone/core/ports";
import type { PictureFault, PictureNote } from "@touchstone/core/schema/gist";
import sharp, { type Metadata } from "sharp";
import { encodeThumbnail, encodeTile, type Pixels } from "./encode-tile.ts";
import { hasItsEnd, isAnimatedPng } from "./picture-end.ts";
import { chooseGround, layOn } from "./picture-ground.ts";
import { pictureType, type ReadableType, readableTypes } from "./picture-type.ts";

const decodeSeconds = 20;

/** `mostBytes` is what all tiles of a picture may have together, encoded. */
export const sharpNormaliser = (mostBytes = pictureBytes): PictureNormaliser => ({
  async normalise(bytes) {
    if (bytes.byteLength === 0) return faulty("empty-file");
    const type = pictureType(bytes);
    const readable = readableTypes.find((candidate) => candidate === type);
    if (readable) return normalise(bytes, readable, mostBytes);
    if (type === "html") return faulty("web-page");
    if (type === "unknown") return faulty("no-picture", firstBytes(bytes));
    return faulty("format-not-read", type.toUpperCase());
  },
});

const faulty = (fault: PictureFault, detail = ""): NormaliseOutcome => {
  const { kind, en } = faultRules[fault];
  return { kind, fault, detail: detail.slice(0, 300), message: en(detail) };
};

const firstBytes = (bytes: Uint8Array): string =>
  `${bytes.byteLength} B: ${Buffer.from(bytes.subarray(0, 8)).toString("hex")}…`;

async function normalise(
  bytes: Uint8Array,
  type: ReadableType,
  mostBytes: number,
): Promise<NormaliseOutcome> {
  if (!hasItsEnd(bytes, type)) return faulty("cut-off", type.toUpperCase());
  try {
    // The header alone is read here: a bomb must be known before a pixel of it is decoded.
    const header = await sharp(bytes, { limitInputPixels: false }).metadata();
    const size = header.autoOrient;
    const pixels = size.width * size.height;
    const measure = `${size.width}×${size.height}`;
    const isStreamed = (type === "jpeg" || type === "png") && header.isProgressive !== true;
    const most = isStreamed ? maxPixels : maxHeldPixels;
    if (pixels > most) return faulty("too-many-pixels", `${measure} > ${most / 1_000_000} MP`);
    if (pixels < minPixels) return faulty("too-few-pixels", measure);
    const shape = shapePicture(size);
    const { whole, notes } = await decode(bytes, shape, size);
    return {
      kind: "picture",
      picture: await cut(whole, shape, mostBytes, [...notesOf(bytes, header, type), ...notes]),
    };
  } catch (error) {
    const reason =
      (error instanceof Error ? error.message : String(error)).split("\n")[0]?.slice(0, 160) ?? "";
    if (/timeout/i.test(reason)) return faulty("too-slow", String(decodeSeconds));
    if (/premature end|unexpected end|truncated|truncate/i.test(reason))
      return faulty("cut-off", type.toUpperCase());
    return faulty("damaged", `${type.toUpperCase()}: ${reason}`);
  }
}

const notesOf = (bytes: Uint8Array, header: Metadata, type: ReadableType): readonly PictureNote[] => {
  const isAnimated = (header.pages ?? 1) > 1 || (type === "png" && isAnimatedPng(bytes));
  return [
    ...((header.orientation ?? 1) > 1 ? ["turned" as const] : []),
    ...(isAnimated ? ["first-frame" as const] : []),
    ...(header.depth === "ushort" ? ["sixteen-bit" as const] : []),
    ...(header.space === "cmyk" ? ["cmyk" as const] : []),
  ];
};

/** Breaks the standard without a pixel being wrong; some telephones write it into every photo. */
const harmless = /Invalid SOS parameters/;

interface Raw {
  readonly data: Buffer;
  readonly info: { readonly channels: number };
}

/** Strict, and once more a little less so where all that the decoder complains of is harmless. */
async function readPixels(bytes: Uint8Array, shape: PictureShape, isEnlarged: boolean): Promise<Raw> {
  const read = (failOn: "warning" | "error") =>
    sharp(bytes, { failOn, limitInputPixels: maxPixels, page: 0, pages: 1 })
      .timeout({ seconds: decodeSeconds })
      .autoOrient()
      .resize({ ...shape.scaled, fit: "fill", kernel: isEnlarged ? "nearest" : "lanczos3" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
  try {
    return await read("warning");
  } catch (error) {
    if (!(error instanceof Error && harmless.test(error.message))) throw error;
    return read("error");
  }
}

/** First frame, turned once by EXIF, on a ground that hides nothing, 8-bit sRGB. */
async function decode(
  bytes: Uint8Array,
  shape: PictureShape,
  size: Size,
): Promise<{ readonly whole: Pixels; readonly notes: readonly PictureNote[] }> {
  const { scaled, canvas } = shape;
  const isEnlarged = scaled.width > size.width;
  const { data, info } = await readPixels(bytes, shape, isEnlarged);
  if (info.channels < 3) throw new Error(`${info.channels} colour channels where three are expected`);
  const ground = info.channels === 4 ? chooseGround(data) : null;
  const level = ground?.level ?? 255;
  const whole = { data: info.channels === 4 ? layOn(data, level) : data, ...scaled };
  const isPadded = canvas.width > scaled.width || canvas.height > scaled.height;
  return {
    whole: isPadded ? pad(whole, canvas, level) : whole,
    notes: [
      ...(ground ? [ground.note] : []),
      ...(isEnlarged ? ["enlarged" as const] : []),
      ...(scaled.width < size.width || scaled.height < size.height ? ["shrunk" as const] : []),
      ...(isPadded ? ["padded" as const] : []),
    ],
  };
}

function pad(whole: Pixels, { width, height }: Size, level: number): Pixels {
  const data = Buffer.alloc(width * height * 3, level);
  const left = (width - whole.width) >> 1;
  const top = (height - whole.height) >> 1;
  for (let row = 0; row < whole.height; row += 1)
    whole.data.copy(
      data,
      ((top + row) * width + left) * 3,
      row * whole.width * 3,
      (row + 1) * whole.width * 3,
    );
  return { data, width, height };
}

async function cut(
  whole: Pixels,
  { starts, length, overlap }: PictureShape,
  mostBytes: number,
  notes: readonly PictureNote[],
): Promise<NormalisedPicture> {
  const most = Math.floor(mostBytes / starts.length);
  const asked = new Set(tilesToAsk(starts));
  const tiles: PictureTile[] = [];
  const thumbnails: Uint8Array[] = [];
  for (const start of starts) {
    const pixels = tileAt(whole, start, length);
    const tile = await encodeTile(pixels, most);
    tiles.push(tile);
    if (asked.has(start)) thumbnails.push((await encodeThumbnail(pixels)) ?? tile.bytes);
  }
  const [first, ...more] = tiles;
  if (first === undefined) throw new RangeError("a picture has at least one tile");
  return {
    ...first,
    more,
    thumbnails,
    overlap: overlap / length,
    notes: more.length > 0 ? [...notes, "tiled"] : notes,
  };
}

function tileAt(whole: Pixels, start: number, length: number): Pixels {
  const { data, width, height } = whole;
  if (start === 0 && length >= Math.max(width, height)) return whole;
  if (height >= width)
    return { data: data.subarray(start * width * 3, (start + length) * width * 3), width, height: length };
  const tile = Buffer.alloc(length * height * 3);
  for (let row = 0; row < height; row += 1)
    data.copy(tile, row * length * 3, (row * width + start) * 3, (row * width + start + length) * 3);
  return { data: tile, width: length, height };
}
