/** The picture normaliser port in memory: knows JPEG and PNG by their first bytes and changes nothing. */
import type { NormaliseOutcome, PictureNormaliser } from "@touchstone/core/ports";

export const markedNormaliser = (): PictureNormaliser => ({
  async normalise(bytes): Promise<NormaliseOutcome> {
    const mediaType = bytes[0] === 0xff ? "image/jpeg" : bytes[0] === 0x89 ? "image/png" : null;
    if (mediaType) return { kind: "picture", picture: { bytes, mediaType, width: 8, height: 8 } };
    const text = new TextDecoder().decode(bytes.subarray(0, 100));
    return text.includes("<svg")
      ? { kind: "unsupported", message: "the file is svg" }
      : { kind: "unreadable", message: "the file is no picture" };
  },
});
