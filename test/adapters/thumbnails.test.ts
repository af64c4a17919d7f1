/** What the strategy endpoint sees of a picture. */
import { thumbnailPixels } from "@touchstone/core/domain/describe/picture-limits";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { blue, distance, halves, picture, pixelAt, red } from "./pictures.ts";

describe("thumbnails", () => {
  test("a large picture has a small one of the same shape and colours", async () => {
    const { thumbnail } = await picture(await halves(1200, 600).png().toBuffer());
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: "jpeg", width: 447, height: 224 });
    expect(distance(await pixelAt(thumbnail, 100, 100), red)).toBeLessThan(40);
    expect(distance(await pixelAt(thumbnail, 347, 100), blue)).toBeLessThan(40);
  });

  test("a small picture is its own", async () => {
    const made = await picture(await halves(300, 200).png().toBuffer());
    expect(made.thumbnail).toBe(made.bytes);
  });

  test("each tile of a long picture has one", async () => {
    const made = await picture(await halves(300, 5_000).png().toBuffer());
    const tiles = [made, ...made.more];
    for (const { thumbnail, width, height } of tiles) {
      const small = await sharp(thumbnail).metadata();
      expect(small.width * small.height).toBeLessThanOrEqual(thumbnailPixels * 1.01);
      expect(small.width / small.height).toBeCloseTo(width / height, 1);
    }
    expect(new Set(tiles.map(({ thumbnail }) => thumbnail)).size).toBe(tiles.length);
  });
});
