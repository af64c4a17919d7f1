/** What sharp makes of every kind of picture that people upload. */
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { fitPicture } from "../../functions/_aws/picture-size.ts";
import { pictureType } from "../../functions/_aws/picture-type.ts";
import { sharpNormaliser } from "../../functions/_aws/sharp-normaliser.ts";
import { type Colour, distance, halves, noise, pixelAt } from "./pictures.ts";

const { normalise } = sharpNormaliser();
const picture = async (bytes: Uint8Array) => {
  const outcome = await normalise(bytes);
  if (outcome.kind !== "picture") throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.picture;
};
const red: Colour = [255, 0, 0];
const blue: Colour = [0, 0, 255];
const white: Colour = [255, 255, 255];

describe("formats", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)("%s is read", async (format) => {
    const made = await picture(await halves(64, 32).toFormat(format, { quality: 95 }).toBuffer());
    expect([made.width, made.height]).toEqual([64, 32]);
    expect(distance(await pixelAt(made.bytes, 5, 16), red)).toBeLessThan(40);
    expect(distance(await pixelAt(made.bytes, 58, 16), blue)).toBeLessThan(40);
  });

  test("few colours stay lossless PNG, many become JPEG", async () => {
    expect((await picture(await halves(64, 32).png().toBuffer())).mediaType).toBe("image/png");
    expect((await picture(await noise(64, 32).png().toBuffer())).mediaType).toBe("image/jpeg");
  });

  test("the bytes count, not the name: a PNG called anything is a PNG", async () => {
    expect(pictureType(await halves(8, 8).png().toBuffer())).toBe("png");
  });

  test.each([
    ["heic", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["heic", "\0\0\0\x18ftypmif1\0\0\0\0mif1heic"],
    ["avif", "\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf"],
    ["svg", "\ufeff<!-- drawing --><svg viewBox='0 0 1 1'></svg>"],
    ["html", "  <!DOCTYPE html><svg-icon></svg-icon>"],
    ["tiff", "II*\0"],
    ["bmp", "BM\0\0"],
    ["pdf", "%PDF-1.7"],
    ["unknown", "hello"],
    ["unknown", "<a><b/></a>"],
  ])("%s is told apart", (type, start) => {
    const bytes = start.startsWith("\ufeff") ? Buffer.from(start) : Buffer.from(start, "latin1");
    expect(pictureType(bytes)).toBe(type);
  });

  test.each([
    ["heic", "\0\0\0\x18ftypheic\0\0\0\0"],
    ["pdf", "%PDF-1.7"],
  ])("%s is unsupported by its real name", async (type, start) => {
    const outcome = await normalise(Buffer.from(start, "latin1"));
    expect(outcome).toMatchObject({ kind: "unsupported", message: expect.stringContaining(type) });
  });
});

describe("pixels", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("EXIF orientation %i is applied once and gone", async (orientation) => {
    const made = await picture(
      await halves(60, 20).jpeg({ quality: 100 }).withMetadata({ orientation }).toBuffer(),
    );
    const turned = orientation >= 5;
    expect([made.width, made.height]).toEqual(turned ? [20, 60] : [60, 20]);
    expect((await sharp(made.bytes).metadata()).orientation).toBeUndefined();
    const start = await pixelAt(made.bytes, 2, 2);
    const redFirst = [1, 4, 5, 6].includes(orientation);
    expect(distance(start, redFirst ? red : blue)).toBeLessThan(60);
  });

  test("transparency becomes white", async () => {
    const clear = sharp({
      create: { width: 16, height: 16, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    for (const bytes of [await clear.clone().png().toBuffer(), await clear.clone().webp().toBuffer()]) {
      expect(await pixelAt((await picture(bytes)).bytes, 8, 8)).toEqual(white);
    }
  });

  test("16 bits are scaled, not cut", async () => {
    for (const space of ["rgb16", "grey16"] as const) {
      const grey = sharp({ create: { width: 16, height: 16, channels: 3, background: "#808080" } });
      const bytes = await grey.toColourspace(space).png().toBuffer();
      expect((await sharp(bytes).metadata()).depth).toBe("ushort");
      const made = await picture(bytes);
      expect(distance(await pixelAt(made.bytes, 8, 8), [128, 128, 128])).toBeLessThanOrEqual(2);
    }
  });

  test("a 16-bit ramp keeps its levels", async () => {
    const ramp = Uint16Array.from({ length: 256 * 4 }, (_, pixel) => (pixel % 256) * 257);
    const raw = sharp(ramp, { raw: { width: 256, height: 4, channels: 1 } });
    const made = await picture(await raw.toColourspace("grey16").png().toBuffer());
    const levels = new Set(await sharp(made.bytes).extractChannel(0).raw().toBuffer());
    expect(levels.size).toBeGreaterThan(200);
  });

  test("CMYK becomes sRGB", async () => {
    const bytes = await halves(32, 16).toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
    expect((await sharp(bytes).metadata()).space).toBe("cmyk");
    const made = await picture(bytes);
    expect((await sharp(made.bytes).metadata()).space).toBe("srgb");
    const [r, , b] = await pixelAt(made.bytes, 4, 8);
    expect(r).toBeGreaterThan(b + 80);
  });

  test("grey becomes three equal channels", async () => {
    const made = await picture(await noise(32, 32).greyscale().png().toBuffer());
    expect((await sharp(made.bytes).metadata()).channels).toBe(3);
  });

  test.each(["gif", "webp"] as const)("an animated %s gives its first frame", async (format) => {
    const frames = [await halves(32, 16).png().toBuffer(), await noise(32, 16).png().toBuffer()];
    const animated = await sharp(frames, { join: { animated: true } })
      .toFormat(format, { loop: 0 })
      .toBuffer();
    expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(2);
    const made = await picture(animated);
    expect([made.width, made.height]).toEqual([32, 16]);
    expect(distance(await pixelAt(made.bytes, 4, 8), red)).toBeLessThan(60);
  });
});

describe("size", () => {
  test.each([
    [100, 50, 100, 50],
    [4096, 1024, 2048, 512],
    [3000, 4000, 1536, 2048],
    [1080, 12_000, 640, 7111],
    [1080, 30_000, 295, 8192],
    [500, 8000, 500, 8000],
    [12_000, 100, 2048, 17],
    [1, 60_000, 1, 8192],
  ])("%i × %i becomes %i × %i", (width, height, toWidth, toHeight) => {
    expect(fitPicture({ width, height })).toEqual({ width: toWidth, height: toHeight });
  });

  test("a long screenshot keeps its width", async () => {
    const made = await picture(await halves(700, 9000).png().toBuffer());
    expect([made.width, made.height]).toEqual([637, 8192]);
  });

  test("the hardest picture to compress stays under 4 MB", async () => {
    const made = await picture(await noise(2048, 2048).png({ compressionLevel: 1 }).toBuffer());
    expect(made.bytes.byteLength).toBeLessThanOrEqual(4_000_000);
    expect([made.width, made.height]).toEqual([2048, 2048]);
  });
});

describe("damage", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)(
    "a %s that was cut off is unreadable",
    async (format) => {
      const whole = await noise(200, 200).toFormat(format).toBuffer();
      const outcome = await normalise(whole.subarray(0, Math.floor(whole.length * 0.6)));
      expect(outcome).toMatchObject({ kind: "unreadable", message: expect.stringContaining(format) });
    },
  );

  test("a header alone is unreadable", async () => {
    const whole = await noise(200, 200).jpeg().toBuffer();
    expect(await normalise(whole.subarray(0, 20))).toMatchObject({ kind: "unreadable" });
  });

  test("a bomb is told by its header, before a pixel is decoded", async () => {
    const outcome = await normalise(pngHeader(60_000, 60_000));
    expect(outcome).toMatchObject({ kind: "too-large", message: expect.stringContaining("60000×60000") });
  });
});

/** A PNG that claims a size and holds next to nothing. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", ihdr),
    chunk("IDAT", Buffer.alloc(8)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
