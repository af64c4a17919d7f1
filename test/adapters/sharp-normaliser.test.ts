/** What sharp makes of every kind of picture that people upload. */
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { pictureType } from "../../functions/_aws/picture-type.ts";
import { sharpNormaliser } from "../../functions/_aws/sharp-normaliser.ts";
import { blue, distance, halves, noise, picture, pixelAt, red, white } from "./pictures.ts";

const { normalise } = sharpNormaliser();

describe("formats", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)("%s is read", async (format) => {
    const made = await picture(await halves(128, 64).toFormat(format, { quality: 95 }).toBuffer());
    expect([made.width, made.height]).toEqual([128, 64]);
    expect(distance(await pixelAt(made.bytes, 10, 32), red)).toBeLessThan(40);
    expect(distance(await pixelAt(made.bytes, 116, 32), blue)).toBeLessThan(40);
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
    ["heic", "\0\0\0\x14ftyphevc\0\0\0\0hevc"],
    ["avif", "\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf"],
    ["mp4", "\0\0\0\x18ftypisom\0\0\0\0isomavc1 later bytes say heic"],
    ["webm", "\x1a\x45\xdf\xa3"],
    ["svg", "\ufeff<!-- drawing --><svg viewBox='0 0 1 1'></svg>"],
    ["svg", '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'],
    ["svg", "\xff\xfe<\0s\0v\0g\0 \0x\0=\0"],
    ["svgz or gzip", "\x1f\x8b\x08"],
    ["html", "  <!DOCTYPE html><svg-icon></svg-icon>"],
    ["html", "<html><body><svg viewBox='0 0 1 1'></svg>"],
    ["tiff", "II*\0"],
    ["tiff", "MM\0*"],
    ["bmp", "BM\x36\0\0\0\0\0\0\0\x36"],
    ["unknown", "BMW is a car"],
    ["ico", "\0\0\x01\0\x02\0"],
    ["jpeg xl", "\0\0\0\x0cJXL \r\n\x87\n"],
    ["jpeg 2000", "\0\0\0\x0cjP  \r\n\x87\n"],
    ["psd", "8BPS\0\x01"],
    ["pdf", "%PDF-1.7"],
    ["zip", "PK\x03\x04"],
    ["unknown", "hello"],
    ["unknown", "RIFF\0\0\0\0WAVE"],
    ["unknown", "<a><b/></a>"],
  ])("%s is told apart", (type, start) => {
    const bytes = start.startsWith("\ufeff") ? Buffer.from(start) : Buffer.from(start, "latin1");
    expect(pictureType(bytes)).toBe(type);
  });

  test.each([
    ["a photo of a telephone", "HEIC", "\0\0\0\x18ftypheic\0\0\0\0", "format-not-read"],
    ["a scan", "TIFF", "MM\0*\0\0\0\x08", "format-not-read"],
    ["a bitmap", "BMP", "BM\x36\0\0\0\0\0\0\0\x36", "format-not-read"],
    [
      "a drawing that asks for the network",
      "SVG",
      '<svg><image href="http://169.254.169.254/latest"/></svg>',
      "format-not-read",
    ],
    ["an error page", "web page", "<!doctype html><title>404</title>", "web-page"],
    ["a text", "no picture", "hello", "no-picture"],
    ["nothing", "empty", "", "empty-file"],
  ])("%s is refused by its real name (case 74)", async (_what, name, start, fault) => {
    const outcome = await normalise(Buffer.from(start, "latin1"));
    expect(outcome).toMatchObject({ fault, message: expect.stringContaining(name) });
  });
});

describe("pixels", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("EXIF orientation %i is applied once and gone", async (orientation) => {
    const made = await picture(
      await halves(240, 80).jpeg({ quality: 100 }).withMetadata({ orientation }).toBuffer(),
    );
    const turned = orientation >= 5;
    expect([made.width, made.height]).toEqual(turned ? [80, 240] : [240, 80]);
    expect(made.notes).toEqual(orientation > 1 ? ["turned"] : []);
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

  test.each([
    ["white on transparent white goes on dark", [255, 255, 255], [255, 255, 255], "on-dark"],
    ["black on transparent black goes on white", [0, 0, 0], [0, 0, 0], "on-white"],
    ["colour on transparent black goes on white", [200, 30, 30], [0, 0, 0], "on-white"],
  ] as const)("%s, so that it is seen", async (_what, ink, clear, note) => {
    const data = Buffer.alloc(100 * 100 * 4);
    for (let pixel = 0; pixel < 10_000; pixel += 1) {
      const isBar = pixel >= 4_000 && pixel < 6_000;
      data.set([...(isBar ? ink : clear), isBar ? 255 : 0], pixel * 4);
    }
    const made = await picture(
      await sharp(data, { raw: { width: 100, height: 100, channels: 4 } })
        .png()
        .toBuffer(),
    );
    expect(made.notes).toEqual([note]);
    expect(distance(await pixelAt(made.bytes, 50, 50), ink)).toBeLessThanOrEqual(2);
    expect(distance(await pixelAt(made.bytes, 50, 10), await pixelAt(made.bytes, 50, 50))).toBeGreaterThan(
      100,
    );
  });

  test("black and white on transparency goes on grey: neither may vanish", async () => {
    const data = Buffer.alloc(64 * 64 * 4);
    for (let pixel = 0; pixel < 64 * 64; pixel += 1) {
      const level = pixel % 64 < 20 ? 0 : pixel % 64 > 44 ? 255 : 128;
      data.set([level, level, level, level === 128 ? 0 : 255], pixel * 4);
    }
    const made = await picture(
      await sharp(data, { raw: { width: 64, height: 64, channels: 4 } })
        .png()
        .toBuffer(),
    );
    expect(made.notes).toEqual(["on-grey"]);
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
    const frames = [await halves(128, 64).png().toBuffer(), await noise(128, 64).png().toBuffer()];
    const animated = await sharp(frames, { join: { animated: true } })
      .toFormat(format, { loop: 0 })
      .toBuffer();
    expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(2);
    const made = await picture(animated);
    expect([made.width, made.height]).toEqual([128, 64]);
    expect(distance(await pixelAt(made.bytes, 16, 32), red)).toBeLessThan(60);
    expect(made.notes).toContain("first-frame");
  });

  test("an animated PNG says so too", async () => {
    const still = await halves(128, 64).png().toBuffer();
    const control = pngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
    const made = await picture(Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]));
    expect(made.notes).toEqual(["first-frame"]);
  });
});

describe("size", () => {
  test("a long screenshot is tiled with overlap, and both of its ends are there (case 76)", async () => {
    const made = await picture(await topAndBottom(300, 9_000));
    const tiles = [made, ...made.more];
    expect(tiles).toHaveLength(5);
    expect(new Set(tiles.map(({ width, height }) => `${width}×${height}`)).size).toBe(1);
    expect(made.width).toBe(300);
    expect(made.notes).toEqual(["tiled"]);
    const last = tiles.at(-1);
    expect(await pixelAt(made.bytes, 150, 5)).toEqual(red);
    expect(await pixelAt(last?.bytes ?? made.bytes, 150, (last?.height ?? 0) - 5)).toEqual([0, 128, 0]);
    const overlap = made.overlap * made.height;
    expect(overlap).toBeCloseTo(160, 6);
    expect(tiles.reduce((sum, { height }) => sum + height, 0) - 4 * overlap).toBeLessThan(9_005);
  });

  test("a wide one is tiled from left to right", async () => {
    const made = await picture(await halves(6_000, 100).png().toBuffer());
    expect([made.width, made.height, made.more.length]).toEqual([1_620, 100, 3]);
    expect(await pixelAt(made.bytes, 5, 50)).toEqual(red);
    expect(await pixelAt(made.more.at(-1)?.bytes ?? made.bytes, 1_600, 50)).toEqual(blue);
  });

  test.each([
    ["an icon is enlarged in whole steps", 16, 16, 64, 64, "enlarged"],
    ["a strip gets a margin that models need", 1_093, 5, 1_093, 32, "padded"],
    ["a thread too", 3, 6_000, 41, 2_048, "shrunk padded"],
  ])("%s", async (_what, width, height, toWidth, toHeight, notes) => {
    const made = await picture(await halves(width, height).png().toBuffer());
    expect([made.width, made.height, made.notes.join(" ")]).toEqual([toWidth, toHeight, notes]);
  });

  test("a counting pixel is no picture", async () => {
    expect(await normalise(await halves(1, 1).png().toBuffer())).toMatchObject({ fault: "too-few-pixels" });
  });

  test("a picture fits its limit after encoding: by quality, then by size", async () => {
    const hard = await noise(512, 512).png({ compressionLevel: 1 }).toBuffer();
    const whole = await picture(hard);
    expect([whole.width, whole.bytes.length <= 1_200_000]).toEqual([512, true]);
    for (const limit of [120_000, 20_000]) {
      const small = await sharpNormaliser(limit).normalise(hard);
      if (small.kind !== "picture") throw new Error(small.message);
      expect(small.picture.bytes.byteLength).toBeLessThanOrEqual(limit);
      expect(small.picture.width).toBeGreaterThan(50);
    }
  });

  test("all tiles together fit into one request", async () => {
    const made = await sharpNormaliser(400_000).normalise(
      await noise(300, 5_000).jpeg({ quality: 60 }).toBuffer(),
    );
    if (made.kind !== "picture") throw new Error(made.message);
    const tiles = [made.picture, ...made.picture.more];
    expect(tiles.length).toBeGreaterThan(1);
    expect(tiles.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)).toBeLessThanOrEqual(400_000);
  });
});

describe("damage", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)(
    "a %s that was cut off is unreadable",
    async (format) => {
      const whole = await noise(200, 200).toFormat(format).toBuffer();
      const outcome = await normalise(whole.subarray(0, Math.floor(whole.length * 0.6)));
      expect(outcome).toMatchObject({
        kind: "unreadable",
        message: expect.stringContaining(format.toUpperCase()),
      });
    },
  );

  test.each(["jpeg", "png", "webp", "avif"] as const)(
    "a small %s of one colour that lacks its last bytes is cut off, whatever the decoder makes of it",
    async (format) => {
      const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: "#808080" } });
      const whole = await plain.toFormat(format).toBuffer();
      expect(await normalise(whole.subarray(0, whole.length - 4))).toMatchObject({ fault: "cut-off" });
    },
  );

  test("the end of a thumbnail is not the end of its photo", async () => {
    const thumbnail = await halves(16, 16).jpeg().toBuffer();
    const whole = await noise(200, 200).jpeg().toBuffer();
    const application = Buffer.from([0xff, 0xe1, 0, 0]);
    application.writeUInt16BE(thumbnail.length + 2, 2);
    const photo = Buffer.concat([whole.subarray(0, 2), application, thumbnail, whole.subarray(2)]);
    expect(await normalise(photo)).toMatchObject({ kind: "picture" });
    expect(await normalise(photo.subarray(0, photo.length >> 1))).toMatchObject({ fault: "cut-off" });
  });

  test("what telephones write behind the end does not make a photo unreadable", async () => {
    const whole = await noise(64, 64).jpeg().toBuffer();
    expect(await normalise(Buffer.concat([whole, Buffer.from("SEFHtrailer")]))).toMatchObject({
      kind: "picture",
    });
  });

  test("a scan header that some telephones write wrong does not make a photo unreadable", async () => {
    const photo = Buffer.from(await noise(64, 64).jpeg().toBuffer());
    const scan = photo.indexOf(Buffer.from([0xff, 0xda]));
    // The last coefficient of the scan: 63 in every sequential JPEG.
    const last = scan + 2 + photo.readUInt16BE(scan + 2) - 2;
    expect(photo[last]).toBe(63);
    photo[last] = 0;
    await expect(sharp(photo, { failOn: "warning" }).raw().toBuffer()).rejects.toThrow("Invalid SOS");
    expect(await normalise(photo)).toMatchObject({ kind: "picture" });
    expect(await normalise(photo.subarray(0, photo.length >> 1))).toMatchObject({ fault: "cut-off" });
  });

  test.each(["jpeg", "png", "webp"] as const)(
    "a %s that lacks a piece in its middle is unreadable, not grey from there on",
    async (format) => {
      const whole = await noise(200, 200).toFormat(format).toBuffer();
      const half = whole.length >> 1;
      const holed = Buffer.concat([whole.subarray(0, half), whole.subarray(half + 400)]);
      expect(await normalise(holed)).toMatchObject({ kind: "unreadable" });
    },
  );

  test("a header alone is unreadable", async () => {
    const whole = await noise(200, 200).jpeg().toBuffer();
    expect(await normalise(whole.subarray(0, 20))).toMatchObject({ kind: "unreadable" });
  });

  test("a bomb is told by its header, before a pixel is decoded", async () => {
    const outcome = await normalise(pngHeader(60_000, 60_000));
    expect(outcome).toMatchObject({
      fault: "too-many-pixels",
      message: expect.stringContaining("60000×60000"),
    });
  });

  test("an interlaced one has to be held in memory whole, so it may have fewer pixels", async () => {
    expect(await normalise(pngHeader(8_000, 8_000, 1))).toMatchObject({ fault: "too-many-pixels" });
    expect(await normalise(pngHeader(8_000, 8_000, 0))).toMatchObject({ kind: "unreadable" });
  });

  test("only the first of many large frames is decoded", async () => {
    const frame = await sharp({ create: { width: 640, height: 270, channels: 3, background: "#f00" } })
      .png()
      .toBuffer();
    const frames = Array.from({ length: 12 }, () => frame);
    const animated = await sharp(frames, { join: { animated: true } })
      .gif({ keepDuplicateFrames: true })
      .toBuffer();
    expect((await sharp(animated, { animated: true }).metadata()).pages).toBe(12);
    expect(await picture(animated)).toMatchObject({ width: 640, height: 270 });
  });
});

const topAndBottom = (width: number, height: number): Promise<Buffer> => {
  const half = { width, height: height / 2, channels: 3 as const };
  const green = sharp({ create: { ...half, background: "#008000" } }).png();
  return green.toBuffer().then((input) =>
    sharp({ create: { ...half, height, background: "#ff0000" } })
      .composite([{ input, gravity: "south" }])
      .png()
      .toBuffer(),
  );
};

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG that claims a size and holds next to nothing. */
function pngHeader(width: number, height: number, interlace = 0): Buffer {
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr.set([8, 2, 0, 0, interlace], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    pngChunk("IHDR", ihdr),
    pngChunk("IDAT", Buffer.alloc(8)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}
