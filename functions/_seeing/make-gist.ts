/** Asks the models about one normalised picture: its strategy, then its description, then whether that is to be believed. */
import { captionPrompt, captionTokens } from "@touchstone/core/domain/describe/caption-prompt";
import { gistFlagsOf } from "@touchstone/core/domain/describe/check-gist";
import { copiedLines } from "@touchstone/core/domain/describe/contradicts";
import { agreedStrategy } from "@touchstone/core/domain/describe/tile-strategy";
import { transient } from "@touchstone/core/errors";
import type { ChatModel, Clock, NormalisedPicture, PictureTile, StrategyModel } from "@touchstone/core/ports";
import type { ChatCompletion, ChatRequest } from "@touchstone/core/schema/chat";
import type { Gist, Strategy, StrategyChoice } from "@touchstone/core/schema/gist";
import type { Timing } from "@touchstone/core/timing";
import { withCallSignal } from "../_pressure/call-signal.ts";
import { type EndpointGate, throughGate } from "../_pressure/endpoint-gate.ts";

export interface GistPorts {
  readonly strategy: StrategyModel;
  readonly captioner: ChatModel;
  /** Reads text alone, to hold the captioner's answer against; absent where the captioner is one itself, or none runs. */
  readonly textReader?: ChatModel | undefined;
  readonly gates: { readonly strategy: EndpointGate; readonly captioner: EndpointGate };
  readonly clock: Clock;
  readonly timing: Timing;
}

export interface GistRequest {
  /** SHA-256 of the picture as it was sent in. */
  readonly hash: string;
  /** Version of what normalised it. */
  readonly normaliser: string;
  readonly picture: NormalisedPicture;
  readonly language: "zh" | "en";
  /** Epoch milliseconds from which no call may be under way. */
  readonly deadline: number;
}

/** Errors of the models are thrown. */
export const makeGist = async (request: GistRequest, ports: GistPorts): Promise<Gist> => {
  const { hash, normaliser, picture, language } = request;
  const tiles = [picture, ...picture.more];
  const choice = await chooseStrategy(request, ports);
  const asked = captionRequest(tiles, picture.overlap, choice.strategy, language);
  // Side by side: one after the other they could outlast the function.
  const [completion, read] = await Promise.all([
    askCaptioner(ports.captioner, asked, request, ports),
    readText(tiles, request, ports),
  ]);
  const answer = completion.choices?.[0];
  const text = textOf(completion, "the captioner");
  const tokens = completion.usage?.completion_tokens ?? null;
  return {
    hash,
    strategy: choice.strategy,
    unsure: choice.unsure,
    text: text.trim(),
    flags: [
      ...gistFlagsOf({
        text,
        style: choice.strategy,
        finishReason: answer?.finish_reason,
        tokens,
        maxTokens: asked.max_tokens,
        read,
      }),
    ],
    width: picture.width,
    height: picture.height,
    normaliser,
    ...(tiles.length > 1 ? { pieces: tiles.length } : {}),
    ...(picture.notes.length > 0 ? { notes: [...picture.notes] } : {}),
    captioner: completion.model ?? ports.captioner.model,
    strategyModel: choice.model,
    tokens: tokens ?? 0,
  };
};

const chooseStrategy = async (
  { hash, picture, deadline }: GistRequest,
  { gates, clock, timing, strategy }: GistPorts,
): Promise<StrategyChoice> => {
  const strategyMs = timing.modelTimeout.strategy * 1000;
  const latest = deadline - timing.modelTimeout.captioner * 1000 - strategyMs;
  const choices: StrategyChoice[] = [];
  for (const thumbnail of picture.thumbnails) {
    const choose = () =>
      withCallSignal({ timeoutMs: strategyMs, deadline, clock }, (signal) =>
        strategy.choose(thumbnail, signal),
      );
    choices.push(await throughGate(gates.strategy, hash, latest, choose));
  }
  return agreedStrategy(choices);
};

type CaptionRequest = Omit<ChatRequest, "model">;

const captionRequest = (
  tiles: readonly PictureTile[],
  overlap: number,
  style: Strategy,
  language: "zh" | "en",
): CaptionRequest => {
  const prompt = captionPrompt(style, language, tiles.length > 1 ? { count: tiles.length, overlap } : null);
  const images = tiles.map(({ bytes, mediaType }) => ({
    type: "image_url" as const,
    image_url: { url: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` },
  }));
  return {
    messages: [
      { role: "system", content: prompt.system },
      { role: "user", content: [...images, { type: "text", text: prompt.user }] },
    ],
    temperature: 0,
    max_tokens: captionTokens(tiles.length),
  };
};

const askCaptioner = (
  model: ChatModel,
  asked: CaptionRequest,
  { hash, deadline }: GistRequest,
  { gates, clock, timing }: GistPorts,
): Promise<ChatCompletion> => {
  const captionerMs = timing.modelTimeout.captioner * 1000;
  return throughGate(gates.captioner, hash, deadline - captionerMs, () =>
    withCallSignal({ timeoutMs: captionerMs, deadline, clock }, (signal) => model.complete(asked, signal)),
  );
};

const textOf = (completion: ChatCompletion, who: string): string => {
  const text = completion.choices?.[0]?.message?.content;
  if (typeof text !== "string") throw transient("bad-answer", `${who} gave no text`);
  return text;
};

/** It stands behind no gate: it is a small server of our own, and a gist without its second look is not stored. */
const readText = async (
  tiles: readonly PictureTile[],
  { picture, language, deadline }: GistRequest,
  { textReader, clock, timing }: GistPorts,
): Promise<string | null> => {
  if (textReader === undefined) return null;
  const asked = captionRequest(tiles, picture.overlap, "text", language);
  const limits = { timeoutMs: timing.modelTimeout.captioner * 1000, deadline, clock };
  const completion = await withCallSignal(limits, (signal) => textReader.complete(asked, signal));
  // Its own words, such as that it found nothing, are not the picture's.
  return copiedLines(textOf(completion, "the reader of text"));
};
