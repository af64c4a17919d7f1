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

normaliserContract("marked", markedNormaliser(), pictures);
normaliserContract("sharp", sharpNormaliser(), pictures);
