/** A sample between fences: its slots, its pictures in their places with their gists. Called by `buildPrompt`. */
import type { ContentPart } from "../../schema/content.ts";
import type { MediaProblem, PlacedGist } from "../../schema/gist.ts";
import { mediaRefs, type Sample } from "../../schema/sample.ts";
import { closeFence, type Fence, openFence } from "./fence.ts";
import type { PromptBudget } from "./prompt-budget.ts";
import type { PromptWording } from "./prompt-wording.ts";
import { byClaim, type Slot, sampleSlots } from "./sample-slots.ts";
import { estimateTokens } from "./token-estimate.ts";

/** A picture as the judge gets it. */
export interface PromptImage {
  readonly ref: string;
  readonly dataUrl: string;
}

/** A piece of a turn: text, or a picture that stands right there. */
export type Piece = string | PromptImage;

export interface SampleView {
  readonly sample: Sample;
  readonly gists: readonly PlacedGist[];
  readonly problems: readonly MediaProblem[];
  readonly images: readonly PromptImage[];
}

export interface Renderer {
  readonly mark: string;
  readonly fence: Fence;
  readonly wording: PromptWording;
  readonly budget: PromptBudget;
}

/** The sample's pieces in reading order; slots claim the budget by importance, gists after all slots. */
export function renderSample(view: SampleView, renderer: Renderer): Piece[] {
  const slots = sampleSlots(view.sample);
  const refs = mediaRefs(view.sample);
  const texts = new Map(byClaim(slots).map((slot) => [slot, slotTexts(slot, refs, renderer)]));
  const gists = gistTexts(view, refs, renderer);
  const shown = new Set<string>();
  const pieces: Piece[] = [];
  for (const slot of slots) {
    const rendered = texts.get(slot);
    if (!rendered) continue;
    pieces.push(`\n${openFence(renderer.mark, slot.name)}\n`);
    slot.parts.forEach((part, index) => {
      // Parts that stand side by side are lines of their own, not one word.
      if (part.type === "text" && slot.parts[index - 1]?.type === "text") pieces.push("\n");
      pieces.push(rendered[index] ?? "");
      if (part.type === "text") return;
      if (shown.has(part.ref)) {
        pieces.push(`${renderer.wording.sameImage}\n`);
        return;
      }
      shown.add(part.ref);
      const image = view.images.find(({ ref }) => ref === part.ref);
      if (image) pieces.push(image);
      pieces.push(gists.get(part.ref) ?? "");
    });
    pieces.push(`\n${closeFence(renderer.mark, slot.name)}\n`);
  }
  return pieces;
}

/** Tokens that a gist may have which repeats itself. */
const repeatedTokens = 120;

/** One text for each part of a slot, inside the budget; null where not even its fence has room. */
function slotTexts(slot: Slot, refs: readonly string[], renderer: Renderer): string[] | null {
  const { budget, fence, mark } = renderer;
  const frame = `\n${openFence(mark, slot.name)}\n\n${closeFence(mark, slot.name)}\n`;
  if (!budget.reserve(estimateTokens(frame), slot.section)) {
    for (const part of slot.parts) if (part.type === "text") budget.take(part.text, slot.section, 0);
    return null;
  }
  return slot.parts.map((part) => {
    const text = fence.clean(part.type === "text" ? part.text : part.ref, slot.section);
    return budget.take(part.type === "text" ? text : marker(part, refs, text), slot.section);
  });
}

/** `[image 2: menu.png]`: the number counts the sample's media in order of first appearance. */
function marker(part: ContentPart & { ref: string }, refs: readonly string[], name: string): string {
  return `\n[${part.type} ${refs.indexOf(part.ref) + 1}: ${name.replace(/\s+/g, " ")}]\n`;
}

function gistTexts(view: SampleView, refs: readonly string[], renderer: Renderer): Map<string, string> {
  const { budget, fence, mark, wording } = renderer;
  const texts = new Map<string, string>();
  refs.forEach((ref, index) => {
    const placed = view.gists.find((gist) => gist.ref === ref);
    const problem = view.problems.find((candidate) => candidate.ref === ref);
    if (problem && !placed) texts.set(ref, budget.take(`${wording.noGist(problem.kind)}\n`, "gists"));
    if (!placed) return;
    const { text, flags, strategy } = placed.gist;
    const name = `gist ${index + 1} ${strategy}`;
    const doubt = flags.length > 0 ? `${wording.doubtfulGist(flags.join(", "))}\n` : "";
    const frame = `${openFence(mark, name)}\n${doubt}\n${closeFence(mark, name)}\n`;
    if (!budget.reserve(estimateTokens(frame), "gists")) {
      budget.take(text, "gists", 0);
      return;
    }
    // Pictures still to come get an equal share of what is left; what says the same over and over has said it soon.
    const fair = Math.floor(budget.left / (refs.length - index));
    const share = flags.includes("repeats") ? Math.min(fair, repeatedTokens) : fair;
    const body = budget.take(fence.clean(text, "gists"), "gists", share);
    texts.set(ref, `${openFence(mark, name)}\n${doubt}${body}\n${closeFence(mark, name)}\n`);
  });
  return texts;
}
