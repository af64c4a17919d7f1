/** What the strategy endpoint sees of a picture. */
import { thumbnailPixels } from "@touchstone/core/domain/describe/picture-limits";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { blue, distance, halves, picture, pixelAt, red } from "./pictures.ts";

const thumbnailsOf = async (bytes: Uint8Array): Promise<readonly Uint8Array[]> =>
  (await picture(bytes)).thumbnails;

describe("thumbnails", () => {
  test("a large picture has a small one of the same shape and colours", async () => {
    const [thumbnail = new Uint8Array()] = await thumbnailsOf(await halves(1200, 600).png().toBuffer());
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: "jpeg", width: 400, height: 200 });
    expect(distance(await pixelAt(thumbnail, 100, 100), red)).toBeLessThan(40);
    expect(distance(await pixelAt(thumbnail, 300, 100), blue)).toBeLessThan(40);
  });

  test("a small picture is its own", async () => {
    const made = await picture(await halves(300, 200).png().toBuffer());
    expect(made.thumbnails).toEqual([made.bytes]);
  });

  test("of a long picture, those tiles have one that are asked about", async () => {
    const { more, thumbnails, width, height } = await picture(await halves(300, 12_000).png().toBuffer());
    expect(more.length).toBeGreaterThan(3);
    expect(thumbnails).toHaveLength(3);
    expect(new Set(thumbnails).size).toBe(3);
    for (const thumbnail of thumbnails) {
      const small = await sharp(thumbnail).metadata();
      expect(small.width * small.height).toBeLessThanOrEqual(thumbnailPixels * 1.01);
      expect(small.width / small.height).toBeCloseTo(width / height, 1);
    }
  });
});
