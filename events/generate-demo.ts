/**
 * Makes the demo's tasks, batches and poison files again: `node events/generate-demo.ts [--pictures]`.
 * With `--pictures` the posters are drawn anew too, and those of the labelled set told by the shipped captioner.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { batchFiles, posterMedia } from "./generate-demo/batch-files.ts";
import { captionPictures } from "./generate-demo/caption-pictures.ts";
import { examplePictures, freshPictures } from "./generate-demo/poster-brief.ts";
import { renderPictures } from "./generate-demo/render-pictures.ts";

const captionFile = "generate-demo/material/poster-captions.yaml";
const captionNote =
  "# What the shipped captioner says of the labelled set's posters; made by events/generate-demo.ts --pictures.\n";

async function put(path: string, content: Buffer | string): Promise<void> {
  const file = join(import.meta.dirname, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function makePictures(): Promise<void> {
  const fresh = freshPictures();
  const drawn = await renderPictures(fresh.map(({ drawing }) => drawing));
  for (const [index, jpeg] of drawn.entries()) await put(`${posterMedia}/${fresh[index]?.name}`, jpeg);
  const [whole] = drawn;
  if (whole) await put(`${posterMedia}/pst-half-sent.jpg`, whole.subarray(0, Math.floor(whole.length / 3)));

  const examples = examplePictures();
  const pictures = await renderPictures(examples.map(({ drawing }) => drawing));
  const captions = await captionPictures(
    examples.map(({ style }, index) => ({ style, jpeg: pictures[index] ?? Buffer.alloc(0) })),
  );
  const byName = Object.fromEntries(examples.map(({ name }, index) => [name, captions[index]]));
  await put(captionFile, captionNote + stringify(byName, { lineWidth: 0 }));
}

const { values } = parseArgs({ options: { pictures: { type: "boolean", default: false } } });
if (values.pictures) await makePictures();
const files = batchFiles();
for (const [path, content] of files) await put(path, content);
console.log(`${files.size} files written below ${import.meta.dirname}`);
