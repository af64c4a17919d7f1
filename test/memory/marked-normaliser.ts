/** The picture normaliser port in memory: knows JPEG and PNG by their first bytes and changes nothing. */
import { faultRules } from "@touchstone/core/domain/describe/picture-fault";
import { tilesToAsk } from "@touchstone/core/domain/describe/tile-strategy";
import type { NormaliseOutcome, PictureNormaliser } from "@touchstone/core/ports";
import type { PictureFault } from "@touchstone/core/schema/gist";

/** A second byte of 0xf0 and more stands for a very long picture of that many tiles less 0xf0. */
const tilesOf = (mark: number | undefined): number => Math.max(1, (mark ?? 0) - 0xf0);

export const markedNormaliser = (): PictureNormaliser => ({
  async normalise(bytes): Promise<NormaliseOutcome> {
    const mediaType = bytes[0] === 0xff ? "image/jpeg" : bytes[0] === 0x89 ? "image/png" : null;
    if (mediaType === null) return faulty(faultOf(bytes));
    const tile = { bytes, mediaType, width: 8, height: 8 } as const;
    const tiles = mediaType === "image/png" ? tilesOf(bytes[1]) : 1;
    const more = Array.from({ length: tiles - 1 }, (_, index) => {
      const own = new Uint8Array([...bytes, index]);
      return { ...tile, bytes: own };
    });
    const picture = {
      ...tile,
      more,
      thumbnails: tilesToAsk([tile, ...more]).map((each) => each.bytes),
      overlap: more.length > 0 ? 0.25 : 0,
      notes: more.length > 0 ? ["tiled" as const] : [],
    };
    return { kind: "picture", picture };
  },
});

const faultOf = (bytes: Uint8Array): PictureFault => {
  if (bytes.length === 0) return "empty-file";
  const text = new TextDecoder().decode(bytes.subarray(0, 100)).toLowerCase();
  if (text.includes("<svg")) return "format-not-read";
  return /<(!doctype )?html/.test(text) ? "web-page" : "no-picture";
};

const faulty = (fault: PictureFault): NormaliseOutcome => {
  const { kind, en } = faultRules[fault];
  return { kind, fault, detail: "", message: en("") };
};
