/** What every picture normaliser must do; run by normaliser.test.ts against the marked one and sharp. */
import type { PictureNormaliser } from "@touchstone/core/ports";
import { describe, expect, test } from "vitest";

export interface Pictures {
  readonly jpeg: Uint8Array;
  readonly png: Uint8Array;
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
    });

    test.each([
      ["a web page", "<!doctype html><p>404", "unreadable"],
      ["nothing", "", "unreadable"],
      ["text", "not a picture", "unreadable"],
      ["an SVG drawing", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "unsupported"],
    ])("%s is an outcome with a reason, never a throw", async (_what, text, kind) => {
      const outcome = await normaliser.normalise(new TextEncoder().encode(text));
      expect(outcome).toMatchObject({ kind, message: expect.stringMatching(/./) });
    });
  });
};
