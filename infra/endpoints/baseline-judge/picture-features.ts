/** How far the descriptions of the pictures show what the brief asks for. Called by features.ts. */
import { forbiddenByBrief, hits } from "./standard-phrases.ts";
import { type TextView, viewText } from "./text-view.ts";

/** Similarity from which a piece of the brief counts as present with a slip. */
const nearly = 0.65;
/** Lines that describe the picture itself and copy nothing from it. */
const remark = /像素|主要颜色|按阅读顺序|未识别|pixels|main colours?|reading order|not identified/i;
const quote = /[「“"]([^」”"]+)[」”"]/;
const colourWord =
  /[红橙黄绿青蓝紫粉黑白灰棕]|\b(?:red|orange|yellow|green|cyan|blue|purple|pink|black|white|gr[ea]y|brown)\b/gi;

export interface PictureReading {
  readonly values: Record<string, number>;
  /** What the brief calls the pieces that are missing from the picture, or differ from it; e.g. `价格`. */
  readonly absentKeys: readonly string[];
  readonly slippedKeys: readonly string[];
}

interface Piece {
  readonly key: string;
  readonly text: string;
}

export function readPictures(brief: TextView, gists: readonly string[], rawBrief: string): PictureReading {
  if (gists.length === 0) return { values: {}, absentKeys: [], slippedKeys: [] };
  const lines = gists.flatMap((gist) => gist.split("\n"));
  const copied = lines.filter((line) => !remark.test(line)).join("\n");
  const shown = viewText(copied);
  const squeezed = squeeze(copied);
  const changed = changeOf(gists);
  const states = withChange(briefPieces(rawBrief), changed).map((piece) => ({
    ...piece,
    digits: /\d/.test(piece.text),
    state: presence(piece.text, squeezed),
  }));
  const countOf = (state: Presence, digits: boolean): number =>
    Math.min(4, states.filter((one) => one.state === state && one.digits === digits).length);
  const known = new Set([...brief.numbers, ...viewText(changed ?? "").numbers]);
  const changeMissed = changed !== null && occurrences(squeezed, changed) < 2;
  const bannedShown = hits(forbiddenByBrief(rawBrief).map(squeeze), squeezed);
  const colourShown = colourShare(rawBrief, lines);
  const faults = states.filter(({ state }) => state !== "shown").length + bannedShown;
  const flaws = faults + (changeMissed ? 1 : 0) + (colourShown < 0.3 ? 1 : 0);
  return {
    values: {
      pictureCount: gists.length,
      changeFollowed: changed === null ? 0 : changeMissed ? -1 : 1,
      piecesShown: 1 - faults / Math.max(1, states.length),
      wordsAbsent: countOf("absent", false),
      wordsSlipped: countOf("slipped", false),
      figuresAbsent: countOf("absent", true),
      figuresSlipped: countOf("slipped", true),
      figuresForeign: Math.min(4, [...shown.numbers].filter((one) => !known.has(one)).length),
      colourShown,
      bannedShown,
      flaws: Math.min(5, flaws),
      flawless: flaws === 0 ? 1 : 0,
      pictureWords: Math.log1p(squeezed.length),
      unclear: /看不清|模糊|illegible|unreadable|unreliable|不可靠/.test(copied) ? 1 : 0,
    },
    absentKeys: states.filter(({ state }) => state === "absent").map(({ key }) => key),
    slippedKeys: states.filter(({ state }) => state === "slipped").map(({ key }) => key),
  };
}

const squeeze = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    // A point or a colon between digits is part of the figure.
    .replace(/(?<!\d)[.:]|[.:](?!\d)|(?![.:])[\s\p{P}\p{S}]/gu, "");

const occurrences = (text: string, piece: string): number => text.split(piece).length - 1;

/** How much of the picture is the colour that the brief names, by the description's own figures. */
function colourShare(brief: string, lines: readonly string[]): number {
  const wanted = /(?:主色|colou?r)[^：:]{0,6}[:：]([^\n]*)/i.exec(brief)?.[1]?.match(colourWord)?.[0];
  const look = lines.find((line) => /主要颜色|main colours?/i.test(line));
  if (wanted === undefined || look === undefined) return 0.5;
  const percent = new RegExp(`${wanted}[^0-9、,]{0,8}(\\d+)`, "i").exec(look)?.[1];
  return percent === undefined ? 0 : Math.min(1, Number(percent) / 30);
}

/** Pieces of the brief that could stand in a picture word for word: what it quotes, else what lies between punctuation. */
function briefPieces(brief: string): Piece[] {
  const lines = brief.split("\n").filter((line) => !/不得|不要|禁止|不能出现|主色/.test(line));
  const anyQuoted = lines.some((line) => quote.test(line));
  return lines
    .flatMap((line): Piece[] => {
      const key = /^\s*(?:\d+[.、)]\s*)?([^「“"：:\d]{1,12})[「“"：:]/.exec(line)?.[1]?.trim() ?? "";
      const texts = anyQuoted
        ? [...line.matchAll(new RegExp(quote, "g"))].map(([, inner = ""]) => inner)
        : line.replace(/^[^：:]{1,12}[：:]/, "").split(/[、，,；;。]/);
      return texts.map((text) => ({ key, text: squeeze(text) }));
    })
    .filter(({ text }) => text.length >= 2 && text.length <= 40)
    .slice(0, 40);
}

/** What somebody in a chat screenshot asks to have changed, e.g. a new date; null where nobody does. */
function changeOf(gists: readonly string[]): string | null {
  const chat = gists.find((gist) => /【左】|\[left\]/i.test(gist) && /【中】|\[cent(?:re|er)\]/i.test(gist));
  const asked = /(?:改(?:成|到|为|在|早|晚)?|change(?:d)? (?:it )?to)\s*([^\n【，,。]*\d[^\n【，。]*)/i.exec(
    chat ?? "",
  )?.[1];
  return asked === undefined ? null : squeeze(asked);
}

/** A changed piece takes the place of the one in the brief that it is like. */
function withChange(pieces: readonly Piece[], changed: string | null): readonly Piece[] {
  if (changed === null) return pieces;
  const like = pieces.find(({ text }) => /\d/.test(text) && presence(text, changed) !== "absent");
  return pieces.map((piece) => (piece === like ? { ...piece, text: changed } : piece));
}

type Presence = "shown" | "slipped" | "absent";

/** Exactly there; there with some characters changed; or not there at all. */
function presence(piece: string, squeezed: string): Presence {
  if (squeezed.includes(piece)) return "shown";
  const wanted = Map.groupBy(piece, (unit) => unit);
  let best = 0;
  for (let at = 0; at < squeezed.length && best < piece.length; at++) {
    let common = 0;
    for (const [unit, own] of Map.groupBy(squeezed.slice(at, at + piece.length), (other) => other)) {
      common += Math.min(own.length, wanted.get(unit)?.length ?? 0);
    }
    best = Math.max(best, common);
  }
  return best / piece.length >= nearly ? "slipped" : "absent";
}
