/** What was seen in one picture, as lines for a terminal. */
import { strategies } from "@touchstone/core/schema/gist";
import type { Report } from "../report.ts";
import type { SeenFile } from "../see-files.ts";
import { resultWords } from "../words/result-words.ts";
import { seeWords } from "../words/see-words.ts";
import { percent } from "./figures.ts";
import { indented, printable, printableLine } from "./printable.ts";

export const kilobytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1024))} KB`;

export const renderSeen = (
  { file, bytes, ms, seen }: SeenFile,
  { language, colors }: Pick<Report, "language" | "colors">,
): string => {
  const words = seeWords[language];
  const head = colors.bold(printableLine(file));
  switch (seen.kind) {
    case "problem":
      return `${head}\n  ${colors.yellow(words.problem)}: ${printableLine(seen.problem.message)}`;
    case "failed":
      return `${head}\n  ${colors.red(words.failed)}: ${printableLine(seen.message)}`;
    case "gist": {
      const { gist } = seen;
      const flags = flagsText(gist.flags, language);
      return [
        head,
        `  ${words.done}: ${doneText(seen, bytes, language)}`,
        `  ${words.strategy}: ${strategyText(seen, language)}`,
        `  ${words.flags}: ${gist.flags.length > 0 ? colors.yellow(flags) : flags}`,
        `  ${words.gist} (${words.tokens(gist.tokens, (ms / 1000).toFixed(1))}):`,
        indented(printable(gist.text === "" ? words.emptyGist : gist.text), 4),
      ].join("\n");
    }
    default:
      return seen satisfies never;
  }
};

type SeenGist = Extract<SeenFile["seen"], { kind: "gist" }>;
type Language = Report["language"];

export const doneText = ({ gist, shown }: SeenGist, bytes: number, language: Language): string => {
  const words = seeWords[language];
  const sent = shown.reduce((sum, piece) => sum + piece.bytes.byteLength, 0);
  const notes = (gist.notes ?? []).map((note) => words.notes[note]);
  return [
    ...(notes.length === 0 ? [words.untouched] : notes),
    words.size(gist.width, gist.height, kilobytes(bytes), kilobytes(sent)),
    ...(gist.pieces === undefined ? [] : [words.pieces(gist.pieces)]),
  ].join(language === "zh" ? "；" : "; ");
};

export const strategyText = ({ gist, choice }: SeenGist, language: Language): string => {
  const names = resultWords[language].strategies;
  const shares = strategies.map((name) => `${names[name]} ${percent(choice.probabilities[name])}`);
  const unsure = gist.unsure ? ` · ${seeWords[language].unsure}` : "";
  return `${names[gist.strategy]} (${shares.join(", ")})${unsure}`;
};

export const flagsText = (flags: SeenGist["gist"]["flags"], language: Language): string =>
  flags.length === 0
    ? seeWords[language].noFlags
    : flags.map((flag) => resultWords[language].flags[flag]).join(language === "zh" ? "、" : ", ");
