/** Turns encoded image bytes into plain RGB pixels; used by the strategy server and the captioner. */
import sharp from "sharp";

export interface Pixels {
  /** RGB, 8 bits a channel, row by row. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface DecodedImage extends Pixels {
  /** Size as a viewer shows it, before any shrinking here. */
  readonly originalWidth: number;
  readonly originalHeight: number;
}

/** The bytes are not a picture that can be read; `kind` tells it from program faults. */
export class UnreadableImage extends Error {
  readonly kind = "unreadable";
}

/** Refused from the header, before any pixel is decoded. */
const maxPixels = 100_000_000;
const formats = ["jpeg", "png", "webp", "gif"] as const;

/** True for errors thrown by any copy of this module. */
export function isUnreadable(error: unknown): error is UnreadableImage {
  return error instanceof Error && "kind" in error && error.kind === "unreadable";
}

export interface DecodeLimits {
  readonly maxShortSide: number;
  readonly maxLongSide: number;
}

/** Shrinks so that the short side is at most `maxShortSide` pixels and the long side at most `maxLongSide`. */
export function decodeImage(bytes: Uint8Array, limits: DecodeLimits): Promise<DecodedImage> {
  return decodeAs(bytes, (width, height) => {
    const shrink = Math.min(
      1,
      limits.maxShortSide / Math.min(width, height),
      limits.maxLongSide / Math.max(width, height),
    );
    return {
      width: Math.max(1, Math.round(width * shrink)),
      height: Math.max(1, Math.round(height * shrink)),
    };
  });
}

/**
 * Decodes strictly (a truncated file is an error), turns by EXIF, converts to sRGB, lays transparency on white and
 * stretches to the size that `sizeFor` gives for the size a viewer sees. Throws `UnreadableImage`.
 */
export async function decodeAs(
  bytes: Uint8Array,
  sizeFor: (width: number, height: number) => { readonly width: number; readonly height: number },
): Promise<DecodedImage> {
  try {
    const options = { limitInputPixels: maxPixels, failOn: "truncated" } as const;
    const header = await sharp(bytes, options).metadata();
    if (!formats.some((format) => format === header.format)) {
      throw new UnreadableImage(
        `The format ${header.format} is not accepted; send ${formats.join(", ").toUpperCase()}`,
      );
    }
    const { width, height } = header.autoOrient;
    const size = sizeFor(width, height);
    const { data, info } = await sharp(bytes, options)
      .autoOrient()
      .toColourspace("srgb")
      .flatten({ background: "#fff" })
      .resize({ width: size.width, height: size.height, fit: "fill" })
      .removeAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) throw new UnreadableImage(`Expected 3 colour channels, found ${info.channels}`);
    return { data, width: info.width, height: info.height, originalWidth: width, originalHeight: height };
  } catch (error) {
    if (isUnreadable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableImage(`The bytes are not a readable picture: ${reason}`, { cause: error });
  }
}
