/** The picture normaliser contract against the marked one and sharp. */
import sharp from "sharp";
import { sharpNormaliser } from "../../functions/_aws/sharp-normaliser.ts";
import { markedNormaliser } from "../memory/marked-normaliser.ts";
import { normaliserContract } from "./normaliser-contract.ts";

const drawn = () => sharp({ create: { width: 40, height: 30, channels: 3, background: "#3366cc" } });
const pictures = async () => ({
  jpeg: await drawn().jpeg().toBuffer(),
  png: await drawn().png().toBuffer(),
});

const gradient = () =>
  sharp(
    Uint8Array.from({ length: 100 * 3_000 }, (_, pixel) => Math.floor(pixel / 100) % 251),
    {
      raw: { width: 100, height: 3_000, channels: 1 },
    },
  );

normaliserContract("marked", markedNormaliser(), async () => ({
  ...(await pictures()),
  // Its second byte is the number of tiles.
  long: new Uint8Array([0x89, 0xf3]),
}));
normaliserContract("sharp", sharpNormaliser(), async () => ({
  ...(await pictures()),
  long: await gradient().png().toBuffer(),
}));
