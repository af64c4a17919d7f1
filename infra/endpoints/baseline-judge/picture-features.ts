/** How far the descriptions of the pictures show what the brief asks for. Called by features.ts. */
import { forbiddenByBrief, hits } from "./standard-phrases.ts";
import { share, type TextView, viewText } from "./text-view.ts";

/** Similarity from which a piece of the brief counts as present with a slip. */
const nearly = 0.45;
const colours =
  /[红橙黄绿青蓝紫粉黑白灰棕]色?|\b(?:red|orange|yellow|green|cyan|blue|purple|pink|black|white|grey|gray|brown)\b/g;

export function pictureFeatures(
  brief: TextView,
  gists: readonly string[],
  rawBrief: string,
): Record<string, number> {
  const shown = viewText(gists.join("\n"));
  const squeezed = squeeze(shown.text);
  const pieces = gists.length === 0 ? [] : briefPieces(rawBrief);
  const states = pieces.map((piece) => ({
    digits: /\d/.test(piece),
    state: presence(piece, squeezed, shown.terms),
  }));
  const countOf = (state: Presence, digits: boolean): number =>
    states.filter((one) => one.state === state && one.digits === digits).length;
  const total = Math.max(1, pieces.length);
  const wanted = colourSet(rawBrief);
  return {
    hasPicture: gists.length > 0 ? 1 : 0,
    pictureCount: gists.length,
    piecesShown: (countOf("shown", true) + countOf("shown", false)) / total,
    wordsAbsent: countOf("absent", false) / total,
    wordsSlipped: Math.min(3, countOf("slipped", false)),
    figuresAbsent: countOf("absent", true) / total,
    figuresSlipped: Math.min(3, countOf("slipped", true)),
    figuresForeign:
      gists.length === 0
        ? 0
        : Math.min(4, [...shown.numbers].filter((one) => !brief.numbers.has(one)).length),
    colourShown: gists.length === 0 ? 0 : share(wanted, colourSet(shown.text)),
    bannedShown: gists.length === 0 ? 0 : hits(forbiddenByBrief(rawBrief).map(squeeze), squeezed),
    pictureWords: Math.log1p(squeezed.length),
    unclear: /看不清|模糊|illegible|unreadable|unreliable|不可靠/.test(shown.text) ? 1 : 0,
  };
}

const squeeze = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]+/gu, "");

const colourSet = (text: string): Set<string> =>
  new Set([...text.toLowerCase().matchAll(colours)].map(([colour]) => colour.replace("色", "")));

/** Pieces of the brief that could stand in a picture word for word: what lies between punctuation, keys left out. */
function briefPieces(brief: string): string[] {
  return brief
    .split("\n")
    .filter((line) => !/不得|不要|禁止|不能出现/.test(line))
    .flatMap((line) => line.replace(/^[^：:]{1,12}[：:]/, "").split(/[、，,；;。|「」“”"]/))
    .map(squeeze)
    .filter((piece) => piece.length >= 2 && piece.length <= 40)
    .slice(0, 40);
}

type Presence = "shown" | "slipped" | "absent";

function presence(piece: string, squeezed: string, terms: ReadonlySet<string>): Presence {
  if (squeezed.includes(piece)) return "shown";
  const pairs = new Set(Array.from({ length: piece.length - 1 }, (_, at) => piece.slice(at, at + 2)));
  const common = [...pairs].filter((pair) => squeezed.includes(pair) || terms.has(pair)).length / pairs.size;
  return common >= nearly ? "slipped" : "absent";
}
