/** Tells what a file is from its first bytes; names and declared types lie. Used by sharp-normaliser.ts. */

/** Types that sharp's own build decodes, one picture a file. */
export const readableTypes = ["jpeg", "png", "webp", "gif", "avif"] as const;
/** Media all the same, which we name and do not read; a drawing in SVG is a program, so it is never run. */
export const namedTypes = [
  "heic",
  "svg",
  "svgz or gzip",
  "tiff",
  "bmp",
  "ico",
  "jpeg xl",
  "jpeg 2000",
  "psd",
  "pdf",
  "mp4",
  "webm",
  "zip",
] as const;

export type ReadableType = (typeof readableTypes)[number];
export type PictureType = ReadableType | (typeof namedTypes)[number] | "html" | "unknown";

/** Latin-1 marks and where they stand; a file is of the first type whose marks are all there. */
const signatures: readonly (readonly [PictureType, ...(readonly [at: number, mark: string])[]])[] = [
  ["jpeg", [0, "\xff\xd8\xff"]],
  ["png", [0, "\x89PNG\r\n\x1a\n"]],
  ["webp", [0, "RIFF"], [8, "WEBP"]],
  ["gif", [0, "GIF87a"]],
  ["gif", [0, "GIF89a"]],
  ["tiff", [0, "II*\0"]],
  ["tiff", [0, "II+\0"]],
  ["tiff", [0, "MM\0*"]],
  ["tiff", [0, "MM\0+"]],
  // Its name alone is two letters that a text may begin with; the reserved field is what tells.
  ["bmp", [0, "BM"], [6, "\0\0\0\0"]],
  ["ico", [0, "\0\0\x01\0"]],
  ["ico", [0, "\0\0\x02\0"]],
  ["jpeg xl", [0, "\xff\x0a"]],
  ["jpeg xl", [4, "JXL \r\n"]],
  ["jpeg 2000", [0, "\xff\x4f\xff\x51"]],
  ["jpeg 2000", [4, "jP  \r\n"]],
  ["psd", [0, "8BPS"]],
  ["pdf", [0, "%PDF-"]],
  ["webm", [0, "\x1a\x45\xdf\xa3"]],
  ["svgz or gzip", [0, "\x1f\x8b"]],
  ["zip", [0, "PK\x03\x04"]],
];

/** Brands of the container that AVIF, HEIC and MP4 share (ISO/IEC 14496-12, `ftyp`): the main one, then compatible ones. */
const containerType = (start: string): PictureType | null => {
  if (start.slice(4, 8) !== "ftyp") return null;
  const length = [...start.slice(0, 4)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
  const brands = start.slice(8, Math.min(length, 256)).match(/[ -~]{4}/g) ?? [];
  const has = (...wanted: readonly string[]): boolean => brands.some((brand) => wanted.includes(brand));
  if (has("avif", "avis")) return "avif";
  if (has("heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1")) return "heic";
  return "mp4";
};

/** UTF-16 is read as its low bytes, which is enough to know a tag. */
const markupType = (start: string): PictureType | null => {
  const text = start
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .trimStart()
    .toLowerCase();
  if (!text.startsWith("<")) return null;
  const first = /<(svg|!doctype\s+svg|!doctype\s+html|html|head|body|title)[\s>[]/.exec(text)?.[1];
  if (first === undefined)
    return /<!entity|xmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(text) ? "svg" : null;
  return first.endsWith("svg") ? "svg" : "html";
};

export const pictureType = (bytes: Uint8Array): PictureType => {
  // Latin-1 keeps one character a byte, so that offsets mean bytes.
  const start = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  const signed = signatures.find(([, ...marks]) => marks.every(([at, mark]) => start.startsWith(mark, at)));
  return signed?.[0] ?? containerType(start) ?? markupType(start) ?? "unknown";
};
