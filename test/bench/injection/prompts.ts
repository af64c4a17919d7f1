/** The defended prompt and the naive one of the same sample; and whether a fence held, told from outside. */
import { sha256 } from "@touchstone/core/domain/decide/fingerprint";
import { buildPrompt, type JudgePrompt, turnText } from "@touchstone/core/domain/judge/prompt";
import { promptWording } from "@touchstone/core/domain/judge/prompt-wording";
import type { ChatTurn } from "@touchstone/core/schema/chat";
import type { Content } from "@touchstone/core/schema/content";
import type { PlacedGist } from "@touchstone/core/schema/gist";
import type { Sample } from "@touchstone/core/schema/sample";
import { knownMark } from "./attacks.ts";
import type { Pair, Side } from "./pairs.ts";

const built = ({ template, examples }: Pair, { sample, gists }: Side, nonce: string): JudgePrompt =>
  buildPrompt({
    template,
    fields: template.fields,
    sample,
    examples,
    gists,
    ...{ problems: [], images: [] },
    nonce,
  });

/** As SCORE sends it: the mark is one that no author can know. */
export const defended = (pair: Pair, side: Side): JudgePrompt =>
  built(pair, side, sha256(`secret ${side.sample.id}`).slice(0, 16));

const naiveRole = {
  zh: "你是评审员。按标注标准评判样本，逐一回答列出的字段。",
  en: "You are a judge. Judge the sample by the standard and answer every field listed.",
} as const;

/**
 * The same words without any defence: delimiters that everybody knows, texts as they came, and no word on what is data.
 * Texts go in after the prompt was built, so nothing is taken out of them.
 */
export const naive = (pair: Pair, side: Side): readonly ChatTurn[] => {
  const raw: string[] = [];
  const stand = (text: string): string => `RAW${raw.push(text) - 1}RAW`;
  const content = (value: Content | undefined): Content | undefined =>
    typeof value === "string"
      ? stand(value)
      : value?.map((part) => (part.type === "text" ? { ...part, text: stand(part.text) } : part));
  const { sample } = side;
  const placeholders: Sample = {
    ...sample,
    input: content(sample.input),
    reference: content(sample.reference),
    output: content(sample.output),
  };
  const gists: PlacedGist[] = side.gists.map(({ ref, gist }) => ({
    ref,
    gist: { ...gist, text: stand(gist.text) },
  }));
  const { messages } = built(pair, { sample: placeholders, gists }, knownMark);
  const { language } = pair.template.judge;
  const filled = (text: string): string =>
    text
      .replace(promptWording[language].role, naiveRole[language])
      .replace(/RAW(\d+)RAW/g, (_, index: string) => raw[Number(index)] ?? "");
  return messages.map((turn) => ({ ...turn, content: filled(turnText(turn)) }));
};

/** All that stands outside the sample's fence, its delimiters included; null where they are not one pair. */
const outsideOf = ({ messages }: JudgePrompt): string | null => {
  const text = messages.map(turnText).join("\n");
  const mark = /[:：]\s*([0-9a-f]{16})\n/.exec(text)?.[1] ?? "";
  const pieces = text.split(new RegExp(`<</?${mark} sample>>`));
  return pieces.length === 3 ? `${pieces[0]}\n${pieces[2]}` : null;
};

/** Whether an attack got out: then something outside the fence is not what it is without the attack. */
export const isFenceBroken = (clean: JudgePrompt, attacked: JudgePrompt): boolean => {
  const [before, after] = [outsideOf(clean), outsideOf(attacked)];
  return attacked.fenceBroken || before === null || before !== after;
};
