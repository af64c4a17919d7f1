/** Which colours a picture mainly has, by the names people use; used by caption.ts. */
import sharp from "sharp";
import type { Pixels } from "../image-strategy/decode-image.ts";

export const colourNames = [
  "black",
  "dark grey",
  "grey",
  "light grey",
  "white",
  "red",
  "orange",
  "brown",
  "yellow",
  "green",
  "cyan",
  "blue",
  "purple",
  "pink",
] as const;
export type ColourName = (typeof colourNames)[number];

export interface Appearance {
  /** Share of the picture per colour, largest first; colours under 5 % are left out. */
  readonly colours: readonly { readonly name: ColourName; readonly share: number }[];
  /** The most common colour of the top, the middle and the bottom third. */
  readonly bands: readonly ColourName[];
  /** Mean luma (Rec. 601), 0 black to 1 white. */
  readonly brightness: number;
}

const sampleSide = 64;
const minShare = 0.05;

/** Looks at a 64 × 64 miniature, which is enough for shares of whole per cents. */
export async function describeAppearance(image: Pixels): Promise<Appearance> {
  const pixels = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: 3 },
    limitInputPixels: false,
  })
    .resize(sampleSide, sampleSide, { fit: "fill" })
    .raw()
    .toBuffer();
  const names: ColourName[] = [];
  let luma = 0;
  for (let i = 0; i < pixels.length; i += 3) {
    const [r, g, b] = [pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0];
    names.push(nameColour(r, g, b));
    luma += (0.299 * r + 0.587 * g + 0.114 * b) / 255;
  }
  const total = names.length;
  const bands = [0, 1, 2].map((band) => names.slice((band * total) / 3, ((band + 1) * total) / 3));
  return {
    colours: sharesOf(names).filter(({ share }) => share >= minShare),
    bands: bands.flatMap((band) => sharesOf(band)[0]?.name ?? []),
    brightness: luma / total,
  };
}

/** Largest first. */
function sharesOf(names: readonly ColourName[]): { readonly name: ColourName; readonly share: number }[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, same]) => ({ name, share: same.length / names.length }))
    .sort((a, b) => b.share - a.share);
}

/** Names one sRGB colour by hue, chroma and lightness. */
export function nameColour(r: number, g: number, b: number): ColourName {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const chroma = max - min;
  const lightness = (max + min) / 510;
  if (chroma < 28 || chroma < 0.12 * max) return nameGrey(lightness);
  const hue = hueOf(r, g, b, max, chroma);
  if (hue < 15 || hue >= 345) return lightness > 0.72 ? "pink" : "red";
  if (hue < 42) return lightness < 0.42 ? "brown" : "orange";
  if (hue < 68) return lightness < 0.3 ? "brown" : "yellow";
  if (hue < 165) return "green";
  if (hue < 195) return "cyan";
  if (hue < 255) return "blue";
  if (hue < 300) return "purple";
  return lightness > 0.45 ? "pink" : "purple";
}

function nameGrey(lightness: number): ColourName {
  if (lightness < 0.12) return "black";
  if (lightness < 0.36) return "dark grey";
  if (lightness < 0.68) return "grey";
  return lightness < 0.955 ? "light grey" : "white";
}

/** Hue in degrees, 0 to 360. */
function hueOf(r: number, g: number, b: number, max: number, chroma: number): number {
  const sector =
    max === r ? ((g - b) / chroma + 6) % 6 : max === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return 60 * sector;
}
