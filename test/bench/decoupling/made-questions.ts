/** Pictures drawn for questions whose answers are known: counts, colours, positions, words and figures. */
import { type Dice, dice } from "../../../events/generate-demo/random.ts";
import { renderPictures } from "../../../events/generate-demo/render-pictures.ts";
import type { PictureQuestion } from "./question.ts";

type Language = "zh" | "en";

interface Asked {
  readonly text: string;
  readonly truth: boolean;
}

interface Drawn {
  readonly html: string;
  /** One that is true and one that is not. */
  readonly asked: readonly [Asked, Asked];
}

const width = 640;
const height = 480;

const colours = [
  { css: "#d32f2f", zh: "红色", en: "red" },
  { css: "#1565c0", zh: "蓝色", en: "blue" },
  { css: "#2e7d32", zh: "绿色", en: "green" },
  { css: "#fdd835", zh: "黄色", en: "yellow" },
  { css: "#6a1b9a", zh: "紫色", en: "purple" },
] as const;
const shapes = [
  { css: "border-radius:50%", zh: "圆", en: "circle" },
  { css: "", zh: "正方形", en: "square" },
  { css: "clip-path:polygon(50% 0,100% 100%,0 100%)", zh: "三角形", en: "triangle" },
] as const;
type Colour = (typeof colours)[number];
type Shape = (typeof shapes)[number];

const two = <Item>(random: Dice, items: readonly Item[]): readonly [Item, Item] => {
  const [first, second] = random.shuffle(items);
  if (first === undefined || second === undefined) throw new Error("two different items are needed");
  return [first, second];
};

const placed = (shape: Shape, colour: Colour, x: number, y: number, size: number): string =>
  `<i style="position:absolute;left:${x}px;top:${y}px;width:${size}px;height:${size}px;background:${colour.css};${shape.css}"></i>`;

const page = (body: string): string =>
  `<style>body{margin:0;background:#fafafa;color:#222;font-family:PosterLatin,Poster}</style>${body}`;

/** Some of one colour among some of another, in a grid of places. */
const counted = (random: Dice, language: Language): Drawn => {
  const [wanted, other] = two(random, colours);
  const shape = random.pick(shapes);
  const count = 3 + random.below(6);
  const others = 2 + random.below(4);
  const places = random.shuffle(Array.from({ length: 20 }, (_, index) => index));
  const marks = places.slice(0, count + others).map((place, index) => {
    const colour = index < count ? wanted : other;
    return placed(shape, colour, 40 + (place % 5) * 118, 30 + Math.floor(place / 5) * 110, 64);
  });
  const off = random.pick([count - 1, count + 1]);
  const ask = (number: number): string =>
    language === "zh"
      ? `图中${wanted.zh}的${shape.zh}正好有 ${number} 个吗？`
      : `Are there exactly ${number} ${wanted.en} ${shape.en}s in the picture?`;
  return drawn(marks.join(""), [ask(count), ask(off)]);
};

const coloured = (random: Dice, language: Language): Drawn => {
  const [right, wrong] = two(random, colours);
  const [shape, beside] = two(random, shapes);
  const body =
    placed(shape, right, 60 + random.below(80), 120, 220) +
    placed(beside, wrong, 380 + random.below(60), 160, 140);
  const ask = (colour: Colour): string =>
    language === "zh"
      ? `图中的${shape.zh}是${colour.zh}的吗？`
      : `Is the ${shape.en} in the picture ${colour.en}?`;
  return drawn(body, [ask(right), ask(wrong)]);
};

const positioned = (random: Dice, language: Language): Drawn => {
  const [colour, other] = two(random, colours);
  const [shape, second] = two(random, shapes);
  const isBeside = random.below(2) === 0;
  const [near, far] = [50 + random.below(60), 400 + random.below(60)];
  const body = isBeside
    ? placed(shape, colour, near, 170, 130) + placed(second, other, far, 150 + random.below(60), 130)
    : placed(shape, colour, 240, 20 + random.below(40), 130) + placed(second, other, 220, 310, 130);
  const directions = isBeside
    ? ([
        { zh: "左边", en: "to the left of" },
        { zh: "右边", en: "to the right of" },
      ] as const)
    : ([
        { zh: "上方", en: "above" },
        { zh: "下方", en: "below" },
      ] as const);
  // Either of the two is asked about, so that no direction is right more often than its opposite.
  const isTurned = random.below(2) === 1;
  const named = [
    { shape, colour },
    { shape: second, colour: other },
  ] as const;
  const [subject, object] = isTurned ? [named[1], named[0]] : named;
  const ask = (direction: (typeof directions)[number]): string =>
    language === "zh"
      ? `${subject.colour.zh}的${subject.shape.zh}在${object.colour.zh}的${object.shape.zh}的${direction.zh}吗？`
      : `Is the ${subject.colour.en} ${subject.shape.en} ${direction.en} the ${object.colour.en} ${object.shape.en}?`;
  const [right, wrong] = isTurned ? [directions[1], directions[0]] : directions;
  return drawn(body, [ask(right), ask(wrong)]);
};

const goods = [
  { zh: "咖啡", en: "Coffee" },
  { zh: "雨伞", en: "Umbrella" },
  { zh: "台灯", en: "Lamp" },
  { zh: "书包", en: "Satchel" },
  { zh: "毛巾", en: "Towel" },
] as const;

/** A price tag; the wrong price has two neighbouring digits the other way round. */
const worded = (random: Dice, language: Language): Drawn => {
  const item = random.pick(goods);
  const colour = random.pick(colours);
  const [tens, ones] = two(random, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const cents = 10 + random.below(90);
  const [price, turned] = [`${tens}${ones}.${cents}`, `${ones}${tens}.${cents}`];
  const body = `<div style="margin:70px 90px;padding:50px 0;background:${colour.css};color:${colour.en === "yellow" ? "#222" : "#fff"};text-align:center;font-weight:700">
    <p style="font-size:44px;margin:0 0 24px">${item[language]}</p><p style="font-size:72px;margin:0">¥${price}</p></div>`;
  const ask = (shown: string): string =>
    language === "zh"
      ? `图中${item.zh}的标价是 ¥${shown} 吗？`
      : `Is the price of the ${item.en.toLowerCase()} in the picture ¥${shown}?`;
  return drawn(body, [ask(price), ask(turned)]);
};

/** A table of sales; which of two is higher must be read and then compared. */
const tabulated = (random: Dice, language: Language): Drawn => {
  const rows = random
    .shuffle(goods)
    .slice(0, 4)
    .map((item) => ({ item, sold: 100 + random.below(900) }));
  const [one, other] = two(random, rows);
  const [more, less] = one.sold >= other.sold ? [one, other] : [other, one];
  if (more.sold === less.sold) return tabulated(random, language);
  const cell = "border:1px solid #888;padding:14px 40px;font-size:28px";
  const title = language === "zh" ? ["商品", "销量"] : ["Item", "Sold"];
  const body = `<table style="margin:50px auto;border-collapse:collapse"><tr>${title
    .map((name) => `<th style="${cell}">${name}</th>`)
    .join("")}</tr>${rows
    .map(
      ({ item, sold }) =>
        `<tr><td style="${cell}">${item[language]}</td><td style="${cell}">${sold}</td></tr>`,
    )
    .join("")}</table>`;
  const ask = (first: typeof more, second: typeof more): string =>
    language === "zh"
      ? `表中${first.item.zh}的销量比${second.item.zh}高吗？`
      : `In the table, did ${first.item.en.toLowerCase()} sell more than ${second.item.en.toLowerCase()}?`;
  return drawn(body, [ask(more, less), ask(less, more)]);
};

const drawn = (body: string, [right, wrong]: readonly [string, string]): Drawn => ({
  html: page(body),
  asked: [
    { text: right, truth: true },
    { text: wrong, truth: false },
  ],
});

export const madeCategories = {
  count: counted,
  colour: coloured,
  position: positioned,
  text: worded,
  table: tabulated,
};

/** So many pictures of every category, two questions about each; the same for the same seed. */
export const drawQuestions = (
  pictures: number,
  seed: number,
  language: Language,
): readonly { readonly category: string; readonly figure: string; readonly drawn: Drawn }[] => {
  const random = dice(seed);
  return Object.entries(madeCategories).flatMap(([category, draw]) =>
    Array.from({ length: pictures }, (_, index) => ({
      category,
      figure: `${category}-${index + 1}`,
      drawn: draw(random, language),
    })),
  );
};

export const madeQuestions = async (
  pictures: number,
  seed: number,
  language: Language,
): Promise<readonly PictureQuestion[]> => {
  const drawings = drawQuestions(pictures, seed, language);
  const rendered = await renderPictures(drawings.map(({ drawn: { html } }) => ({ html, width, height })));
  return drawings.flatMap(({ category, figure, drawn: { asked } }, index) => {
    const picture = rendered[index];
    if (picture === undefined) throw new Error(`${figure} was not rendered`);
    return asked.map(({ text, truth }) => ({
      ...{ id: `${figure}-${truth ? "yes" : "no"}`, category, figure, pair: figure, picture, text, truth },
    }));
  });
};
