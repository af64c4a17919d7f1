/** What every picture normaliser must do; run by normaliser.test.ts against the marked one and sharp. */
import type { PictureNormaliser } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";

export interface Pictures {
  readonly jpeg: Uint8Array;
  readonly png: Uint8Array;
  /** Far longer than wide. */
  readonly long: Uint8Array;
}

export const normaliserContract = (
  name: string,
  normaliser: PictureNormaliser,
  pictures: () => Promise<Pictures>,
): void => {
  describe(`picture normaliser: ${name}`, () => {
    test.each(["jpeg", "png"] as const)("a %s becomes a JPEG or PNG of a known size", async (type) => {
      const outcome = await normaliser.normalise((await pictures())[type]);
      if (outcome.kind !== "picture") throw new Error(outcome.message);
      expect(["image/jpeg", "image/png"]).toContain(outcome.picture.mediaType);
      expect(outcome.picture.bytes[0]).toBe(outcome.picture.mediaType === "image/jpeg" ? 0xff : 0x89);
      expect(outcome.picture.width).toBeGreaterThan(0);
      expect(outcome.picture.height).toBeGreaterThan(0);
      expect(outcome.picture).toMatchObject({ more: [], overlap: 0 });
    });

    test("a very long picture becomes tiles of one kind that overlap", async () => {
      const outcome = await normaliser.normalise((await pictures()).long);
      if (outcome.kind !== "picture") throw new Error(outcome.message);
      const { picture } = outcome;
      expect(picture.more.length).toBeGreaterThan(0);
      for (const tile of picture.more) {
        expect([tile.width, tile.height]).toEqual([picture.width, picture.height]);
        expect(tile.bytes).not.toEqual(picture.bytes);
      }
      expect(picture.overlap).toBeGreaterThan(0);
      expect(picture.overlap).toBeLessThan(0.5);
      expect(picture.notes).toContain("tiled");
    });

    test.each([
      ["a web page", "<!doctype html><p>404", "unreadable", "web-page"],
      ["nothing", "", "unreadable", "empty-file"],
      ["text", "not a picture", "unreadable", "no-picture"],
      [
        "an SVG drawing",
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        "unsupported",
        "format-not-read",
      ],
    ])("%s is an outcome with a name and a reason, never a throw", async (_what, text, kind, fault) => {
      const outcome = await normaliser.normalise(new TextEncoder().encode(text));
      expect(outcome).toMatchObject({ kind, fault, message: expect.stringMatching(/./) });
    });
  });
};
