/** Tells what a file is from its first bytes; names and declared types lie. Used by sharp-normaliser.ts. */

/** Types that sharp's own build decodes, one picture a file. */
export const readableTypes = ["jpeg", "png", "webp", "gif", "avif"] as const;
/** Pictures all the same, which we name and do not read. */
export const namedTypes = ["heic", "svg", "tiff", "bmp", "pdf"] as const;

export type ReadableType = (typeof readableTypes)[number];
export type PictureType = ReadableType | (typeof namedTypes)[number] | "html" | "unknown";

const signatures: readonly { readonly type: PictureType; readonly at: number; readonly bytes: string }[] = [
  { type: "jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { type: "png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { type: "webp", at: 8, bytes: "WEBP" },
  { type: "gif", at: 0, bytes: "GIF87a" },
  { type: "gif", at: 0, bytes: "GIF89a" },
  { type: "tiff", at: 0, bytes: "II*\0" },
  { type: "tiff", at: 0, bytes: "MM\0*" },
  { type: "bmp", at: 0, bytes: "BM" },
  { type: "pdf", at: 0, bytes: "%PDF-" },
];

/** Brands of the container that AVIF and HEIC share (ISO/IEC 14496-12, `ftyp`): the main one, then compatible ones. */
const containerType = (start: string): PictureType | null => {
  if (start.slice(4, 8) !== "ftyp") return null;
  const brands = start.slice(8, 64);
  if (/avif|avis/.test(brands)) return "avif";
  return /hei[cxms]|hev[cxms]|mif1|msf1/.test(brands) ? "heic" : null;
};

const markupType = (start: string): PictureType | null => {
  const text = start
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart()
    .toLowerCase();
  if (!text.startsWith("<")) return null;
  if (/<svg[\s>]/.test(text)) return "svg";
  return /<(!doctype html|html|head|body|title)[\s>]/.test(text) ? "html" : null;
};

export const pictureType = (bytes: Uint8Array): PictureType => {
  // Latin-1 keeps one character a byte, so that offsets mean bytes.
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const signed = signatures.find(({ at, bytes: mark }) => start.startsWith(mark, at));
  return signed?.type ?? containerType(start) ?? markupType(start) ?? "unknown";
};
