/**
 * Cuts images to what the network sees, with the server's own code, so that training and serving cannot differ; run by
 * train.sh: `node pack.ts FOLDER OUT`. FOLDER has one sub-folder per class. Writes OUT/<width>x<height>.u8 (pixels of
 * [n, 3, height, width]) and .json (the n files, relative to FOLDER). Strips that need several pieces are left out.
 */
import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeAs } from "../decode-image.ts";
import { planViews, viewShapes, viewValues } from "../views.ts";

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error("usage: node pack.ts FOLDER OUT");
await mkdir(out, { recursive: true });
const packs = new Map(
  viewShapes.map(({ width, height }) => {
    const name = `${width}x${height}`;
    return [name, { files: [] as string[], pixels: createWriteStream(join(out, `${name}.u8`)) }];
  }),
);
const entries = await readdir(folder, { recursive: true });
for (const file of entries.filter((name) => /\.(jpg|png)$/.test(name)).sort()) {
  const image = await decodeAs(
    await readFile(join(folder, file)),
    (width, height) => planViews(width, height).picture,
  );
  const plan = planViews(image.originalWidth, image.originalHeight);
  const pack = packs.get(`${plan.shape.width}x${plan.shape.height}`);
  if (plan.starts.length > 1 || pack === undefined) continue;
  pack.files.push(file);
  if (!pack.pixels.write(Uint8Array.from(viewValues(image, plan)))) {
    await new Promise<void>((resolve) => pack.pixels.once("drain", () => resolve()));
  }
}
for (const [name, { files, pixels }] of packs) {
  await writeFile(join(out, `${name}.json`), JSON.stringify(files));
  await new Promise<void>((resolve) => pixels.end(resolve));
  console.log(`${name}: ${files.length}`);
}
