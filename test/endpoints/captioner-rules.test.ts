/** The captioner's pure parts: prompts, CTC, tiles, reading order, chat sides, colours, tokens. */
import { captionLanguages, captionPrompt } from "@touchstone/core/domain/describe/caption-prompt";
import { strategies } from "@touchstone/core/schema/gist";
import { describe, expect, test } from "vitest";
import { joinWrapped } from "../../infra/endpoints/captioner/caption.ts";
import { chatMessages } from "../../infra/endpoints/captioner/chat-layout.ts";
import { readPrompt, readTiles } from "../../infra/endpoints/captioner/chat-request.ts";
import { decodeCtc } from "../../infra/endpoints/captioner/ctc.ts";
import { joinTiles } from "../../infra/endpoints/captioner/join-tiles.ts";
import { nameColour } from "../../infra/endpoints/captioner/named-colours.ts";
import { readingOrder } from "../../infra/endpoints/captioner/reading-order.ts";
import { mergeTiles, tilesOf } from "../../infra/endpoints/captioner/tiles.ts";
import { countTokens, cutToTokens } from "../../infra/endpoints/captioner/tokens.ts";

const line = (text: string, x: number, y: number, width: number, height = 20) => ({
  text,
  x,
  y,
  width,
  height,
  confidence: 1,
});

describe("captionPrompt", () => {
  test.each(captionLanguages.flatMap((language) => strategies.map((style) => [style, language] as const)))(
    "%s in %s carries its marker and asks for no verdict",
    (style, language) => {
      const { system, user } = captionPrompt(style, language);
      expect(readPrompt(`${system}\n${user}`)).toEqual({ style, language });
      expect(system).toMatch(language === "zh" ? /不做任何评价/ : /Never judge/);
      expect(system.length).toBeLessThan(600);
    },
  );

  test("a prompt that names no style gets the mixed one", () => {
    expect(readPrompt("What is in this picture?")).toEqual({ style: "mixed", language: "en" });
    expect(readPrompt("Style: haiku. 描述图片")).toEqual({ style: "mixed", language: "zh" });
  });
});

describe("a picture in tiles", () => {
  test.each(captionLanguages)("is told by its marker (%s)", (language) => {
    const { user } = captionPrompt("text", language, { count: 3, overlap: 0.0811 });
    expect(readTiles(user, 3)).toBe(0.0811);
    // Other images than the prompt says are not one picture.
    expect(readTiles(user, 2)).toBeNull();
    expect(readTiles(captionPrompt("text", language).user, 2)).toBeNull();
    expect(readTiles("Tiles: 2, overlap 0.9", 2)).toBeNull();
  });

  const column = (levels: readonly number[]) => ({
    data: Buffer.from(levels.flatMap((level) => [level, level, level])),
    width: 1,
    height: levels.length,
    originalWidth: 1,
    originalHeight: levels.length,
  });
  const row = (levels: readonly number[]) => ({ ...column(levels), width: levels.length, height: 1 });
  const levelsOf = ({ data }: { readonly data: Buffer }) => [...data].filter((_, index) => index % 3 === 0);

  test("is put together again, every pixel once, in both directions", () => {
    const pieces = [
      [1, 2, 3, 4, 5, 6],
      [5, 6, 7, 8, 9, 10],
      [9, 10, 11, 12, 13, 14],
    ];
    const whole = Array.from({ length: 14 }, (_, index) => index + 1);
    expect(levelsOf(joinTiles(pieces.map(column), 2 / 6))).toEqual(whole);
    expect(levelsOf(joinTiles(pieces.map(row), 2 / 6))).toEqual(whole);
    expect(joinTiles(pieces.map(column), 2 / 6)).toMatchObject({ width: 1, height: 14 });
  });

  test("of one tile is that tile", () => {
    expect(joinTiles([column([1, 2])], 0)).toMatchObject({ width: 1, height: 2 });
  });
});

describe("decodeCtc", () => {
  const decode = (alphabet: string[], rows: number[][]) =>
    decodeCtc(Float32Array.from(rows.flat()), rows.length, alphabet);

  test("merges repeats, drops blanks and averages what it read", () => {
    const { text, confidence } = decode(
      ["", "石", "头", " "],
      [
        [0.1, 0.9, 0, 0],
        [0.2, 0.8, 0, 0],
        [0.9, 0.1, 0, 0],
        [0.3, 0.7, 0, 0],
        [0.2, 0.3, 0.5, 0],
      ],
    );
    expect(text).toBe("石石头");
    expect(confidence).toBeCloseTo((0.9 + 0.7 + 0.5) / 3, 6);
    expect(decode(["", "石", "头", " "], [[1, 0, 0, 0]])).toEqual({ text: "", confidence: 0 });
  });

  test("takes a hinted space beside Latin, never between Chinese characters", () => {
    const hinted = (a: string, b: string) =>
      decode(
        ["", a, b, " "],
        [
          [0.1, 0.9, 0, 0],
          [0.9, 0, 0, 0.1],
          [0.1, 0, 0.9, 0],
        ],
      ).text;
    expect(hinted("a", "b")).toBe("a b");
    expect(hinted(",", "b")).toBe(", b");
    expect(hinted("石", "b")).toBe("石 b");
    expect(hinted("石", "头")).toBe("石头");
    expect(hinted("石", "，")).toBe("石，");
  });
});

describe("tiles", () => {
  test("an ordinary screen is one tile; a long page is cut with overlap to its very end, in both directions", () => {
    expect(tilesOf(1080, 2400)).toEqual([{ x: 0, y: 0, width: 1080, height: 2400 }]);
    const tiles = tilesOf(600, 20_000);
    expect(tiles[0]?.y).toBe(0);
    const last = tiles.at(-1);
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBe(20_000);
    for (const [i, tile] of tiles.slice(1).entries()) {
      const above = tiles[i];
      expect((above?.y ?? 0) + (above?.height ?? 0) - tile.y).toBeGreaterThanOrEqual(149);
    }
    expect(tilesOf(20_000, 600)).toHaveLength(tiles.length);
  });

  test("a line seen by two tiles is kept once, at its larger sighting", () => {
    const tiles = [
      { x: 0, y: 0, width: 100, height: 160 },
      { x: 0, y: 100, width: 100, height: 160 },
    ];
    const cut = { x: 10, y: 145, width: 60, height: 15, score: 0.9 };
    const whole = { x: 10, y: 46, width: 60, height: 20, score: 0.9 };
    const other = { x: 10, y: 100, width: 60, height: 20, score: 0.9 };
    const merged = mergeTiles(tiles, [[cut], [whole, other]]);
    expect(merged.map((box) => box.y).sort((a, b) => a - b)).toEqual([146, 200]);
  });
});

describe("readingOrder", () => {
  const texts = (lines: { text: string }[]) => lines.map(({ text }) => text).join(" ");

  test("rows from top to bottom, cells from left to right", () => {
    const table = [
      line("d", 200, 52, 50),
      line("a", 0, 10, 50),
      line("b", 200, 12, 50),
      line("c", 0, 50, 50),
    ];
    expect(texts(readingOrder(table))).toBe("a b c d");
  });

  test("two columns of running text are read one after the other, under their common heading", () => {
    const columns = [1, 2, 3, 4].flatMap((i) => [
      line(`l${i}`, 0, 40 + i * 30, 190),
      line(`r${i}`, 220, 42 + i * 30, 190),
    ]);
    const page = [...columns, line("title", 50, 10, 300), line("foot", 20, 200, 380)];
    expect(texts(readingOrder(page))).toBe("title l1 l2 l3 l4 r1 r2 r3 r4 foot");
  });

  test("messages that alternate between the sides stay in turn", () => {
    const chat = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => line(`${i}`, i % 2 ? 220 : 0, i * 40, 180));
    expect(texts(readingOrder(chat))).toBe("0 1 2 3 4 5 6 7");
  });
});

describe("chatMessages", () => {
  const width = 300;
  const height = 200;
  const screen = (bubbles: [x: number, y: number, w: number, h: number, grey: number][]) => {
    const data = Buffer.alloc(width * height * 3, 230);
    for (const [x, y, w, h, grey] of bubbles) {
      for (let row = y; row < y + h; row++) data.fill(grey, (row * width + x) * 3, (row * width + x + w) * 3);
    }
    return { data, width, height };
  };

  test("sides come from the nearer edge, or from the avatar when both edges are as near", () => {
    const image = screen([
      [10, 10, 150, 40, 255],
      [120, 70, 170, 40, 180],
      [50, 130, 200, 40, 255],
      [260, 130, 30, 30, 90],
    ]);
    const lines = [
      line("one", 20, 20, 130),
      line("two", 130, 75, 150, 15),
      line("two b", 130, 92, 60, 15),
      line("three", 60, 140, 180),
    ];
    const messages = chatMessages(image, lines);
    expect(messages?.map(({ side }) => side)).toEqual(["left", "right", "right"]);
    expect(messages?.[1]?.lines.map(({ text }) => text)).toEqual(["two", "two b"]);
  });

  test("a name close above a bubble says who speaks; a title or a time in the middle does not", () => {
    const image = screen([
      [20, 50, 150, 34, 255],
      [110, 130, 170, 34, 180],
    ]);
    const lines = [
      line("Project group (6)", 90, 5, 110, 16),
      line("Li Lei", 24, 30, 40, 14),
      line("are you there", 30, 57, 120, 18),
      line("yesterday 19:11", 100, 100, 90, 12),
      line("yes", 120, 138, 130, 18),
    ];
    expect(chatMessages(image, lines)?.map(({ side, speaker }) => `${side} ${speaker}`)).toEqual([
      "centre null",
      "left Li Lei",
      "centre null",
      "right null",
    ]);
  });

  test("one message above another is not its speaker", () => {
    const image = screen([
      [20, 20, 60, 26, 255],
      [20, 54, 150, 30, 250],
    ]);
    const lines = [line("ok", 26, 24, 40, 18), line("are you there", 28, 60, 120, 18)];
    expect(chatMessages(image, lines)?.map(({ speaker }) => speaker)).toEqual([null, null]);
  });

  test("text on the bare page is no chat", () => {
    expect(chatMessages(screen([]), [line("one", 20, 20, 200), line("two", 20, 50, 200)])).toBeNull();
  });
});

test("joinWrapped puts a space only between Latin words", () => {
  expect(joinWrapped(["see you", "soon, 明天", "见", "ok"])).toBe("see you soon, 明天见ok");
});

test.each([
  [10, 10, 12, "black"],
  [237, 237, 237, "light grey"],
  [255, 255, 255, "white"],
  [220, 30, 30, "red"],
  [255, 190, 200, "pink"],
  [230, 130, 20, "orange"],
  [120, 70, 20, "brown"],
  [245, 220, 40, "yellow"],
  [149, 236, 105, "green"],
  [20, 200, 210, "cyan"],
  [10, 90, 220, "blue"],
  [130, 40, 190, "purple"],
])("nameColour(%i, %i, %i) is %s", (r, g, b, name) => {
  expect(nameColour(r, g, b)).toBe(name);
});

test("tokens: one per Chinese character, a quarter per Latin one; a cut keeps whole characters", () => {
  expect(countTokens("试金石 touchstone")).toBe(6);
  expect(cutToTokens("试金石", 2)).toEqual({ text: "试金", cut: true });
  expect(cutToTokens("试金石", 3)).toEqual({ text: "试金石", cut: false });
});
