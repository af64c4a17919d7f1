/** Phrases that a standard quotes, and what it says of them: forbidden, wanted, or typical of a label. */

export interface StandardPhrases {
  readonly forbidden: readonly string[];
  readonly wanted: readonly string[];
  /** By label code: phrases quoted where that label is defined. */
  readonly byLabel: Readonly<Record<string, readonly string[]>>;
  /** By label code: the words that define it. */
  readonly definitions: Readonly<Record<string, string>>;
}

const quoted = /「([^」]{1,40})」|“([^”]{1,40})”|"([^"\n]{1,60})"|『([^』]{1,40})』/g;
const forbids =
  /不得|不能|不可|不要|禁止|严禁|避免|不应|不准|杜绝|must not|may not|never|do not|don't|avoid|forbidden|prohibited/i;
const wants = /必须|应当|应该|需要|务必|要有|给出|包含|must|should|has to|have to|required|include/i;

const phrasesIn = (line: string): string[] =>
  [...line.normalize("NFKC").toLowerCase().matchAll(quoted)].map((match) =>
    (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").trim(),
  );

/**
 * The phrases of the part that defines `fieldId` (from a heading that names it to the next heading), or of the whole
 * standard where no heading does. Lines below `- CODE：` belong to that label until the next one.
 */
export function readPhrases(standard: string, fieldId: string, codes: readonly string[]): StandardPhrases {
  const forbidden: string[] = [];
  const wanted: string[] = [];
  const byLabel: Record<string, string[]> = Object.fromEntries(codes.map((code) => [code, []]));
  const definitions: Record<string, string> = Object.fromEntries(codes.map((code) => [code, ""]));
  let label: string | null = null;
  for (const line of partAbout(standard, fieldId)) {
    const definition = /^\s*[-*]?\s*"?([A-Za-z0-9]{1,8})"?\s*[:：]/.exec(line)?.[1];
    if (definition !== undefined && codes.includes(definition)) label = definition;
    else if (/^\s*#/.test(line)) label = null;
    const phrases = phrasesIn(line);
    if (forbids.test(line)) forbidden.push(...phrases);
    else if (wants.test(line)) wanted.push(...phrases);
    if (label === null) continue;
    byLabel[label]?.push(...phrases);
    definitions[label] += line;
  }
  return { forbidden, wanted, byLabel, definitions };
}

function partAbout(standard: string, fieldId: string): string[] {
  const lines = standard.split("\n");
  const start = lines.findIndex((line) => /^\s*#/.test(line) && line.includes(fieldId));
  if (start < 0) return lines;
  const length = lines.slice(start + 1).findIndex((line) => /^\s*#/.test(line));
  return lines.slice(start, length < 0 ? undefined : start + 1 + length);
}

/** Phrases that a brief says must not appear, for samples whose input is a brief. */
export function forbiddenByBrief(brief: string): string[] {
  return brief.split("\n").flatMap((line) => {
    const rest = /(?:不得|不要|不能|禁止|避免)(?:出现|使用|写|有)?[^：:]{0,8}[:：](.*)$/.exec(line)?.[1];
    if (rest === undefined) return [];
    const phrases = phrasesIn(rest);
    return phrases.length > 0 ? phrases : rest.split(/[、，,；;]/).map((word) => word.trim().toLowerCase());
  });
}

/** How many of the phrases stand in the text without a "not" right before them. */
export function hits(phrases: readonly string[], text: string): number {
  return phrases.filter((phrase) => {
    if (phrase === "") return false;
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
      if (
        !/(?:不能|不要|不会|不可以|不可|请勿|别|不用|无法|not|don't|never)[^。，,.]{0,3}$/.test(
          text.slice(0, at),
        )
      )
        return true;
    }
    return false;
  }).length;
}
