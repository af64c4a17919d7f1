/** The picture normaliser port on sharp: whatever people upload becomes one upright sRGB picture; DESCRIBE calls it. */
import type { NormaliseOutcome, PictureNormaliser } from "@touchstone/core/ports";
import sharp from "sharp";
import { fitPicture, type Size } from "./picture-size.ts";
import { pictureType, type ReadableType, readableTypes } from "./picture-type.ts";

/** Above every camera and screenshot that people really send; a bomb claims far more in its header. */
const maxPixels = 64_000_000;
/** What model endpoints take as a picture, before base64. */
const maxOutputBytes = 4_000_000;
/** Drawings and plain screenshots have few colours, and JPEG would smear their edges. */
const fewColours = 256;
const jpegQualities = [88, 75, 60, 45] as const;
const decodeSeconds = 20;

export const sharpNormaliser = (): PictureNormaliser => ({
  async normalise(bytes) {
    const type = pictureType(bytes);
    const readable = readableTypes.find((candidate) => candidate === type);
    if (readable) return normalise(bytes, readable);
    if (type === "html" || type === "unknown") {
      return { kind: "unreadable", message: `the file is ${notAPicture(bytes, type)}; ${whatToSend}` };
    }
    return { kind: "unsupported", message: `the file is ${type}; ${whatToSend}` };
  },
});

const whatToSend = "send JPEG, PNG, WebP, GIF or AVIF";

const notAPicture = (bytes: Uint8Array, type: "html" | "unknown"): string => {
  if (bytes.byteLength === 0) return "empty";
  return type === "html" ? "a web page" : "no picture format we know";
};

async function normalise(bytes: Uint8Array, type: ReadableType): Promise<NormaliseOutcome> {
  try {
    // The header alone is read here: a bomb must be known before a pixel of it is decoded.
    const { autoOrient: upright } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (upright.width * upright.height > maxPixels) {
      const size = `${upright.width}×${upright.height}`;
      return { kind: "too-large", message: `the picture has ${size} pixels, over ${maxPixels}; shrink it` };
    }
    return encode(await decode(bytes, fitPicture(upright)));
  } catch (error) {
    const reason =
      error instanceof Error ? (error.message.split("\n")[0] ?? "").slice(0, 200) : "unknown reason";
    return {
      kind: "unreadable",
      message: `the ${type} file is damaged or cut off (${reason}); send it again`,
    };
  }
}

interface Pixels extends Size {
  /** Three bytes a pixel: red, green, blue. */
  readonly data: Buffer;
}

/** First frame, turned once by EXIF, on white, 8-bit sRGB. A file that ends early or is damaged throws. */
async function decode(bytes: Uint8Array, { width, height }: Size): Promise<Pixels> {
  const { data } = await sharp(bytes, { failOn: "warning", limitInputPixels: maxPixels, page: 0, pages: 1 })
    .timeout({ seconds: decodeSeconds })
    .autoOrient()
    .resize(width, height, { fit: "fill" })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width, height };
}

async function encode({ data, width, height }: Pixels): Promise<NormaliseOutcome> {
  const pixels = () => sharp(data, { raw: { width, height, channels: 3 } });
  if (hasFewColours(data)) {
    const bytes = await pixels().png({ compressionLevel: 9 }).toBuffer();
    if (bytes.byteLength <= maxOutputBytes) {
      return { kind: "picture", picture: { bytes, mediaType: "image/png", width, height } };
    }
  }
  for (const quality of jpegQualities) {
    // Full chroma: coloured text on a coloured ground is unreadable at half of it.
    const bytes = await pixels().jpeg({ quality, chromaSubsampling: "4:4:4" }).toBuffer();
    if (bytes.byteLength <= maxOutputBytes) {
      return { kind: "picture", picture: { bytes, mediaType: "image/jpeg", width, height } };
    }
  }
  return { kind: "too-large", message: `the picture stays over ${maxOutputBytes} bytes; shrink it` };
}

function hasFewColours(data: Buffer): boolean {
  const colours = new Set<number>();
  for (let offset = 0; offset < data.length; offset += 3) {
    colours.add(data.readUIntBE(offset, 3));
    if (colours.size > fewColours) return false;
  }
  return true;
}
