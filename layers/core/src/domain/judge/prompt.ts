/** Builds the judge's prompt inside its token budget; pure, so that the very prompt can be rebuilt. Called by SCORE. */
import type { LabelledExample } from "../../ports.ts";
import type { ChatImagePart, ChatTextPart, ChatTurn } from "../../schema/chat.ts";
import type { Integration, MediaProblem, PlacedGist } from "../../schema/gist.ts";
import { mediaRefs, type Sample } from "../../schema/sample.ts";
import type { Field, Template } from "../../schema/template.ts";
import { promptPictureChars } from "../describe/picture-limits.ts";
import { criteriaInOrder } from "../rubric/asked-criteria.ts";
import { answerForm, criterionLines, fieldLines, ruleLines, section } from "./ask.ts";
import { closeFence, createFence, openFence, type Suspicion } from "./fence.ts";
import { createBudget, type PromptBudget, type SectionCut } from "./prompt-budget.ts";
import { promptWording } from "./prompt-wording.ts";
import { type Piece, type PromptImage, type Renderer, renderSample } from "./render-sample.ts";
import { estimateTokens, pictureTokens } from "./token-estimate.ts";

/** An example to learn from; with gists where its pictures were described. */
export interface PromptExample extends LabelledExample {
  readonly gists?: readonly PlacedGist[];
}

export interface PromptInput {
  readonly template: Template;
  /** The fields to ask: those that no scorer in code answers. */
  readonly fields: readonly Field[];
  readonly sample: Sample;
  /** Most useful first; those that have no room are left out whole. */
  readonly examples: readonly PromptExample[];
  readonly gists: readonly PlacedGist[];
  readonly problems: readonly MediaProblem[];
  readonly images: readonly PromptImage[];
  /** The fences' mark: 8 to 64 letters or digits that the sample's author cannot guess. */
  readonly nonce: string;
}

export interface JudgePrompt {
  readonly messages: readonly ChatTurn[];
  readonly cuts: readonly SectionCut[];
  /** Estimated tokens of the messages, pictures included. */
  readonly tokens: number;
  readonly suspicions: readonly Suspicion[];
  /** The mark stands somewhere that we did not write; the fences hold nothing then. */
  readonly fenceBroken: boolean;
  readonly integration: Integration;
}

/** Room that one example may take, so that a long one cannot crowd out the others. */
const exampleTokens = 1_200;

/**
 * The messages to send, with what was cut and what is suspicious. Claims on the budget (`contextTokens` less
 * `maxTokens`), first to last: standard, rubric, pictures, the sample's slots, gists, examples. Instructions and
 * fields are never cut: where they alone are over the budget, `cuts` holds all the rest.
 */
export function buildPrompt(input: PromptInput): JudgePrompt {
  const { template, fields, nonce } = input;
  const wording = promptWording[template.judge.language];
  const fence = createFence(nonce);
  const budget = createBudget(template.judge.contextTokens - template.judge.maxTokens, wording.cut);
  const criteria = criteriaInOrder(template.rubric, input.sample.id);
  const ask = fields.length === 0 ? "" : section("fields", wording.fieldsTitle, fieldLines(fields, wording));
  const ruleText = ruleLines(template.rules, fields);
  const rules = ruleText === "" ? "" : section("rules", wording.rulesTitle, ruleText);
  const closing = `\n${wording.closing(answerForm(fields, criteria))}`;
  const head = `${wording.markLine(nonce)}\n`;
  const guide = mediaRefs(input.sample).length > 0 ? `${wording.pictureGuide}\n` : "";
  const sampleHead = `\n${wording.sampleTitle}\n${guide}${openFence(nonce, "sample")}`;
  const sampleTail = closeFence(nonce, "sample");
  const trusted = { standard: template.standard, rubric: criterionLines(criteria, wording) };
  const titles = { standard: wording.standardTitle, rubric: wording.rubricTitle };
  const wrap = (tag: keyof typeof trusted, text: string): string =>
    trusted[tag] === "" ? "" : section(tag, titles[tag], text);
  const empty = [wrap("standard", ""), wrap("rubric", "")];
  const frame = [wording.role, ...empty, ask, rules, head, sampleHead, sampleTail, closing];
  for (const text of frame) budget.spend(text);

  const standard = wrap("standard", budget.take(trusted.standard, "standard"));
  const rubric = wrap("rubric", budget.take(trusted.rubric, "rubric"));
  const images = fittingImages(input, budget);
  const renderer: Renderer = { mark: nonce, fence, wording, budget };
  const fitting = new Set(images.map(({ ref }) => ref));
  const notShown = new Set(input.images.map(({ ref }) => ref).filter((ref) => !fitting.has(ref)));
  const { pieces: sample, plan } = renderSample({ ...input, images, notShown }, renderer);
  const examples = renderExamples(input, renderer);

  const user = [head, ...examples, sampleHead, ...sample, sampleTail, closing];
  const messages: ChatTurn[] = [
    { role: "system", content: wording.role + standard + rubric + ask + rules },
    { role: "user", content: turnContent(user) },
  ];
  return {
    messages,
    cuts: budget.cuts,
    tokens:
      messages.reduce((sum, message) => sum + estimateTokens(turnText(message)), 0) +
      images.reduce((sum, { ref }) => sum + tokensOf(ref, input), 0),
    suspicions: fence.suspicions,
    fenceBroken: isBroken(messages, nonce),
    integration: { pattern: plan.pattern, savedTokens: plan.saved },
  };
}

/** Of what standard and rubric leave, pictures may take this much: the words that are judged need room, too. */
const pictureShare = 0.6;

/** Each content once, a long picture with all its tiles or not at all, and no more than one request can carry. */
function fittingImages(input: PromptInput, budget: PromptBudget): readonly PromptImage[] {
  const { images, gists } = input;
  const shown = new Set<string>();
  const least = budget.left * (1 - pictureShare);
  let chars = 0;
  return [...Map.groupBy(images, ({ ref }) => ref)].flatMap(([ref, tiles]) => {
    const content = gists.find((placed) => placed.ref === ref)?.gist.hash ?? ref;
    if (shown.has(content)) return [];
    shown.add(content);
    const size = tiles.reduce((sum, { dataUrl }) => sum + dataUrl.length, 0);
    const tokens = tokensOf(ref, input) * tiles.length;
    if (chars + size > promptPictureChars || budget.left - tokens < least) {
      budget.leaveOut(tokens, "images");
      return [];
    }
    budget.reserve(tokens, "images");
    chars += size;
    return tiles;
  });
}

/** Tokens of a picture whose size nobody told. */
const unknownPictureTokens = 1_200;

/** Of one tile of the picture. */
function tokensOf(ref: string, { gists }: PromptInput): number {
  const gist = gists.find((placed) => placed.ref === ref)?.gist;
  return gist === undefined ? unknownPictureTokens : pictureTokens(gist);
}

function renderExamples(input: PromptInput, renderer: Renderer): string[] {
  const { budget, mark, wording } = renderer;
  const title = `\n${wording.examplesTitle}\n`;
  const texts = input.examples.flatMap((example) => exampleText(example, input.fields, renderer) ?? []);
  if (texts.length === 0 || !budget.reserve(estimateTokens(title), "examples")) return [];
  const kept = [title];
  for (const text of texts) {
    const name = `example ${kept.length}`;
    const whole = `${openFence(mark, name)}${text}${closeFence(mark, name)}\n`;
    if (budget.reserve(estimateTokens(whole), "examples")) kept.push(whole);
  }
  return kept;
}

/** An example with the answers to the fields that are asked; null where people answered none of them. */
function exampleText(example: PromptExample, fields: readonly Field[], renderer: Renderer): string | null {
  const { mark, wording } = renderer;
  const answers = fields.flatMap(({ id }) => (id in example.labels ? [[id, example.labels[id]]] : []));
  if (answers.length === 0) return null;
  // Its own fence: what is suspicious in an example says nothing about the sample.
  const own = { mark, wording, fence: createFence(mark), budget: createBudget(exampleTokens, wording.cut) };
  const view = {
    sample: example.sample,
    gists: example.gists ?? [],
    problems: [],
    images: [],
    notShown: new Set<string>(),
  };
  const labels = own.fence.clean(JSON.stringify(Object.fromEntries(answers)), "examples");
  const body = renderSample(view, own).pieces.filter((piece) => typeof piece === "string");
  return `${body.join("")}${openFence(mark, "labels")}\n${labels}\n${closeFence(mark, "labels")}\n`;
}

function turnContent(pieces: readonly Piece[]): ChatTurn["content"] {
  const parts: (ChatTextPart | ChatImagePart)[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") parts.push({ type: "text", text });
    text = "";
  };
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else {
      flush();
      parts.push({ type: "image_url", image_url: { url: piece.dataUrl } });
    }
  }
  flush();
  const [only] = parts;
  return parts.length === 1 && only?.type === "text" ? only.text : parts;
}

/** The text of a turn, pictures left out. */
export function turnText(turn: ChatTurn): string {
  if (typeof turn.content === "string") return turn.content;
  return turn.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Every mark must be the first line's, or stand in a fence; fences must close in the order in which they open. */
function isBroken(messages: readonly ChatTurn[], mark: string): boolean {
  const text = messages.map(turnText).join("\n");
  const open: string[] = [];
  let marks = 1;
  for (const match of text.matchAll(new RegExp(`<<(/?)${mark} ([a-zA-Z0-9 ]+)>>`, "g"))) {
    marks++;
    const [, slash, name = ""] = match;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return true;
  }
  return open.length > 0 || text.split(mark).length - 1 !== marks;
}
