/**
 * Tells from a file's own structure whether its end is there. Decoders that were told to be strict have let short files
 * pass with the missing part in grey, so this asks the container first. Used by sharp-normaliser.ts.
 */
import type { ReadableType } from "./picture-type.ts";

/** False for a file that certainly ends early; a structure that cannot be followed is left to the decoder. */
export const hasItsEnd = (bytes: Uint8Array, type: ReadableType): boolean => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case "jpeg":
      return jpegEnds(file);
    case "png":
      return pngChunks(file).at(-1)?.type === "IEND";
    case "webp":
      return file.length >= 12 && file.readUInt32LE(4) + 8 <= file.length + 1;
    case "avif":
      return boxesFit(file);
    case "gif":
      return true;
    default:
      return type satisfies never;
  }
};

/** An animated PNG, of which decoders show the still picture alone, declares its frames before the first pixels. */
export const isAnimatedPng = (bytes: Uint8Array): boolean => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return pngChunks(file).some(({ type }) => type === "acTL");
};

/** Walks segments instead of looking for the end mark anywhere: the thumbnail inside EXIF has an end of its own. */
const jpegEnds = (file: Buffer): boolean => {
  let at = 2;
  let inScan = false;
  while (at + 1 < file.length) {
    if (file[at] !== 0xff) {
      if (!inScan) return true;
      at = file.indexOf(0xff, at);
      if (at < 0) return false;
      continue;
    }
    const marker = file[at + 1] ?? 0;
    if (marker === 0xd9) return true;
    const standsAlone = marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (marker === 0xff) at += 1;
    else if (standsAlone) at += 2;
    else {
      if (at + 3 >= file.length) return false;
      inScan = marker === 0xda;
      at += 2 + file.readUInt16BE(at + 2);
    }
  }
  return false;
};

const pngChunks = (file: Buffer): readonly { readonly type: string }[] => {
  const chunks: { readonly type: string }[] = [];
  let at = 8;
  while (at + 12 <= file.length) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    chunks.push({ type: file.toString("latin1", at + 4, at + 8) });
    if (chunks.at(-1)?.type === "IEND") break;
    at = end;
  }
  return chunks;
};

/** Top-level boxes of ISO/IEC 14496-12: size, name, content; size 0 reaches to the end, size 1 has eight more bytes. */
const boxesFit = (file: Buffer): boolean => {
  let at = 0;
  while (at + 8 <= file.length) {
    const short = file.readUInt32BE(at);
    if (short === 0) return true;
    const size = short === 1 && at + 16 <= file.length ? Number(file.readBigUInt64BE(at + 8)) : short;
    if (size < 8) return true;
    at += size;
  }
  return at <= file.length;
};
