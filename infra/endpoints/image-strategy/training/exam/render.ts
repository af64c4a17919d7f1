/**
 * Draws the exam: images that training never saw, by another renderer (Chromium), with other fonts and other photos.
 * usage: node render.ts PACKAGES_DIR OUT_DIR EACH [SEED]. Writes OUT_DIR/<class>/<group>/<number>.jpg or .png.
 */
import { globSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { chromium as browserType } from "playwright-core";
import sharp, { type Sharp } from "sharp";
import { type Chance, chanceFrom, wordsIn } from "./chance.ts";
import { mixedPages } from "./mixed-pages.ts";
import { picturePages } from "./picture-pages.ts";
import { textPages } from "./text-pages.ts";

const [packages, out, each, seed] = process.argv.slice(2);
if (packages === undefined || out === undefined || each === undefined) {
  throw new Error("usage: node render.ts PACKAGES_DIR OUT_DIR EACH [SEED]");
}
const longest = 1_000;

/** Photos and textures of packages that training does not use; what shows writing is left out by name. */
const sources: Readonly<Record<string, readonly string[]>> = {
  "photo-vision": [
    "opencv-doc/**/examples/data/{aero1,aero3,aloeL,baboon,basketball1,basketball2,building,butterfly,ela_original,fruits,graf1,home,leuvenA,left01,right05,messi5,orange,apple,rubberwhale1,stuff,smarties,starry_night,HappyFish,squirrel_cls,chicky_512}.*",
  ],
  "photo-science": [
    "python3-skimage/**/skimage/data/{astronaut,camera,cell,chelsea,coffee,coins,horse,hubble_deep_field,ihc,moon,motorcycle_left,retina,rocket}.*",
  ],
  "photo-desktop": ["mate-backgrounds/**/*.jpg", "lomiri-wallpapers-*/**/*.jpg"],
  wallpaper: ["gnome-backgrounds/**/*.webp", "mate-backgrounds/**/*.png"],
  "texture-surfaces": [
    "python3-skimage/**/skimage/data/{brick,grass,gravel}.png",
    "extremetuxracer-data/**/terrains/*.png",
  ],
  "texture-patterns": ["krita-data/**/patterns/*.{jpg,png}"],
};
const smallest = 96;

const usable = async (patterns: readonly string[]) => {
  const files: string[] = [];
  for (const file of patterns.flatMap((pattern) => globSync(pattern, { cwd: packages })).sort()) {
    const header = await sharp(join(packages, file)).metadata();
    if (Math.min(header.width, header.height) >= smallest) files.push(join(packages, file));
  }
  return files;
};

/** JPEG of any quality from poor to good, or PNG; some are scaled on the way. */
async function save(image: Sharp, file: string, chance: Chance) {
  const { width } = await image.metadata();
  const scaled = await image
    .resize({ width: Math.round(width * chance.pick([1, 1, 1, 0.75, 0.55])) })
    .flatten({ background: "#fff" })
    .toBuffer();
  if (chance.share() < 0.35) await sharp(scaled).png().toFile(`${file}.png`);
  else
    await sharp(scaled)
      .jpeg({ quality: chance.pick([30, 45, 60, 75, 90]) })
      .toFile(`${file}.jpg`);
}

const fontFaces = async () => {
  const faces = {
    Main: "fonts-droid-fallback/**/DroidSansFallbackFull.ttf",
    Sans: "fonts-roboto-unhinted/**/Roboto-Regular.ttf",
    Book: "fonts-arphic-gbsn00lp/**/gbsn00lp.ttf",
    Hand: "fonts-lxgw-wenkai/**/LXGWWenKai-Regular.ttf",
    Show: "fonts-smiley-sans/**/SmileySans*.*tf",
    Code: "fonts-firacode/**/FiraCode-Regular.ttf",
  };
  const rules = Object.entries(faces).map(async ([name, pattern]) => {
    const [file] = globSync(pattern, { cwd: packages });
    if (file === undefined) throw new Error(`${packages} has no ${pattern}`);
    const data = await readFile(join(packages, file), "base64");
    return `@font-face{font-family:${name};src:url(data:font/ttf;base64,${data})}`;
  });
  return (await Promise.all(rules)).join("");
};

const pools = Object.fromEntries(
  await Promise.all(Object.entries(sources).map(async ([name, list]) => [name, await usable(list)] as const)),
);
const chance = chanceFrom(Number(seed ?? 1));
for (const [group, files] of Object.entries(pools)) {
  await mkdir(join(out, "picture", group), { recursive: true });
  // A source gives at most two crops, so that no group rests on a few of them.
  const shown = [...files, ...files].slice(0, Number(each));
  for (const [number, file] of shown.entries()) {
    const image = sharp(file).resize({
      width: longest,
      height: longest,
      fit: "inside",
      withoutEnlargement: true,
    });
    const { data, info } = await image
      .flatten({ background: "#fff" })
      .png()
      .toBuffer({ resolveWithObject: true });
    const keep = chance.between(0.55, 1);
    const [width, height] = [
      Math.round(info.width * keep),
      Math.round(info.height * chance.between(0.55, 1)),
    ];
    const crop = sharp(data).extract({
      left: chance.whole(0, info.width - width),
      top: chance.whole(0, info.height - height),
      width,
      height,
    });
    await save(sharp(await crop.png().toBuffer()), join(out, "picture", group, String(number)), chance);
  }
}

const photos = [
  ...(pools["photo-vision"] ?? []),
  ...(pools["photo-science"] ?? []),
  ...(pools["photo-desktop"] ?? []),
];
const photoUrls = await Promise.all(
  photos.map(async (file) => {
    const small = await sharp(file)
      .resize({ width: 720, height: 720, fit: "inside" })
      .flatten()
      .jpeg({ quality: 85 })
      .toBuffer();
    return `data:image/jpeg;base64,${small.toString("base64")}`;
  }),
);
const browser = await browserType.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args,
  headless: true,
});
const tab = await (await browser.newContext({ deviceScaleFactor: 1.5 })).newPage();
await tab.setContent(`<meta charset="utf-8"><style>${await fontFaces()}
  *{box-sizing:border-box}body{margin:0;font:16px/1.45 Sans,Main;height:100vh;overflow:hidden;position:relative}</style><div id="page"></div>`);
for (const [label, kinds] of Object.entries({ text: textPages, mixed: mixedPages, picture: picturePages })) {
  for (const [group, kind] of Object.entries(kinds)) {
    await mkdir(join(out, label, group), { recursive: true });
    for (let number = 0; number < Number(each); number++) {
      const words = wordsIn(chance.pick(["zh", "en", "both"]), chance);
      const { width, height, body } = kind({ chance, words, photo: () => chance.pick(photoUrls) });
      await tab.setViewportSize({ width, height });
      await tab.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}`);
      await tab.evaluate(
        "Promise.all([...document.images].map((image) => image.decode())).then(() => document.fonts.ready).then(() => true)",
      );
      await save(
        sharp(await tab.screenshot({ type: "png" })),
        join(out, label, group, String(number)),
        chance,
      );
    }
    console.log(`${label}/${group}`);
  }
}
await browser.close();
