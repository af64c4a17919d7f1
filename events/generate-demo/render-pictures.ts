/** Renders drawings to JPEG with a headless browser and the fonts of the development dependencies. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import chromium from "@sparticuz/chromium";
import { chromium as browsers } from "playwright-core";
import type { Drawing } from "./poster-html.ts";

const fontFace = (family: string, subset: string, weight: number): string => {
  const file = fileURLToPath(
    import.meta.resolve(`@fontsource/noto-sans-sc/files/noto-sans-sc-${subset}-${weight}-normal.woff2`),
  );
  return `@font-face{font-family:${family};font-weight:${weight};src:url(${pathToFileURL(file).href})}`;
};

/** JPEG quality: all pictures stay under 60 kB. */
const quality = 80;

/** One JPEG per drawing, in order. Pages are files, since a page of another origin may not load local fonts. */
export async function renderPictures(drawings: readonly Drawing[]): Promise<Buffer[]> {
  const fonts = [400, 700]
    .flatMap((weight) => [
      fontFace("Poster", "chinese-simplified", weight),
      fontFace("PosterLatin", "latin", weight),
    ])
    .join("\n");
  const folder = await mkdtemp(join(tmpdir(), "touchstone-posters-"));
  const browser = await browsers.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
  });
  try {
    const page = await browser.newPage();
    const pictures: Buffer[] = [];
    for (const { html, width, height } of drawings) {
      const file = join(folder, "page.html");
      await writeFile(file, `<!doctype html><meta charset="utf-8"><style>${fonts}</style>${html}`);
      await page.setViewportSize({ width, height });
      await page.goto(pathToFileURL(file).href);
      await page.evaluate("document.fonts.ready");
      pictures.push(await page.screenshot({ type: "jpeg", quality }));
    }
    return pictures;
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}
