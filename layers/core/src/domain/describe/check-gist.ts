/** Checks on a captioner's answer: it is flagged, never trusted silently. */
import type { GistFlag, Strategy } from "../../schema/gist.ts";
import { contradicts } from "./contradicts.ts";
import { evaluates } from "./evaluates.ts";
import { repeatsItself } from "./repeats.ts";

export interface CaptionAnswer {
  readonly text: string;
  readonly style: Strategy;
  readonly finishReason: string | null | undefined;
  /** Tokens that it has, where the server counts them, and tokens that it was allowed. */
  readonly tokens: number | null;
  readonly maxTokens: number;
  /** What a reader of text found in the same picture; null where nobody but the captioner looked. */
  readonly read: string | null;
}

/** Every doubt about a caption, in the order in which people are told. */
export const gistFlagsOf = (answer: CaptionAnswer): readonly GistFlag[] => {
  const { text, style, read } = answer;
  if (text.trim() === "") return isCut(answer) ? ["cut", "empty"] : ["empty"];
  return [
    ...(repeatsItself(text) ? ["repeats" as const] : []),
    ...(isCut(answer) ? ["cut" as const] : []),
    ...(evaluates(text, read) ? ["evaluates" as const] : []),
    ...(read !== null && contradicts(text, read, style) ? ["contradicts" as const] : []),
  ];
};

/** Servers that stop at the limit do not all say so; then the count tells, or a quotation that is never closed. */
export const isCut = ({ text, finishReason, tokens, maxTokens }: CaptionAnswer): boolean =>
  finishReason === "length" || (tokens !== null && tokens >= maxTokens) || endsInsideQuote(text);

const endsInsideQuote = (text: string): boolean => {
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  // In a copied line a single mark may well be the picture's own.
  if (/^\s*>/.test(last)) return false;
  return (
    last.lastIndexOf("“") > last.lastIndexOf("”") ||
    last.lastIndexOf("「") > last.lastIndexOf("」") ||
    (text.match(/^```/gm) ?? []).length % 2 === 1
  );
};
