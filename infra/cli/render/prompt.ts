/** A prompt as people read it: turn by turn, pictures by type and size. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";
import type { JudgePrompt } from "@touchstone/core/domain/judge/prompt";
import type { ChatTurn } from "@touchstone/core/schema/chat";
import type { Report } from "../report.ts";
import { promptWords } from "../words/prompt-words.ts";
import { size } from "./figures.ts";
import { printable } from "./printable.ts";

export const renderPrompt = (
  { messages }: JudgePrompt,
  { language, colors }: Pick<Report, "language" | "colors">,
): string =>
  messages.map((turn) => `${colors.bold(`── ${turn.role}`)}\n${turnText(turn, language)}`).join("\n\n");

const turnText = ({ content }: ChatTurn, language: Language): string =>
  typeof content === "string"
    ? printable(content)
    : content
        .map((part) => (part.type === "text" ? printable(part.text) : picture(part.image_url.url, language)))
        .join("");

const picture = (url: string, language: Language): string => {
  const [, mediaType = "image", data = ""] = /^data:([^;]*);base64,(.*)$/s.exec(url) ?? [];
  const bytes = Buffer.byteLength(data, "base64");
  return `\n${promptWords.picture(mediaType, size(bytes))[language]}\n`;
};
