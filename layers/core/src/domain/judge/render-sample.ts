/** A sample between fences: its slots, its pictures in their places with their gists. Called by `buildPrompt`. */
import type { ContentPart } from "../../schema/content.ts";
import type { MediaProblem, PlacedGist } from "../../schema/gist.ts";
import { mediaRefs, type Sample, sampleParts } from "../../schema/sample.ts";
import { type IntegrationPlan, type PlannedPicture, planIntegration } from "../describe/plan-integration.ts";
import { closeFence, type Fence, openFence } from "./fence.ts";
import type { PromptBudget } from "./prompt-budget.ts";
import type { PromptWording } from "./prompt-wording.ts";
import { byClaim, type PromptSection, type Slot, sampleSlots } from "./sample-slots.ts";
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
  /** Pictures that had no room, of which the judge has the description alone. */
  readonly notShown: ReadonlySet<string>;
}

export interface Renderer {
  readonly mark: string;
  readonly fence: Fence;
  readonly wording: PromptWording;
  readonly budget: PromptBudget;
}

export interface RenderedSample {
  readonly pieces: readonly Piece[];
  readonly plan: IntegrationPlan;
}

/** The sample's pieces in reading order; slots claim the budget by importance, gists after all slots. */
export function renderSample(view: SampleView, renderer: Renderer): RenderedSample {
  const slots = sampleSlots(view.sample);
  const refs = mediaRefs(view.sample);
  const texts = new Map(byClaim(slots).map((slot) => [slot, slotTexts(slot, refs, renderer)]));
  const { plan, texts: gists } = gistTexts(view, slots, refs, renderer);
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
      pieces.push(...view.images.filter(({ ref }) => ref === part.ref));
      pieces.push(gists.get(part.ref) ?? "");
    });
    pieces.push(`\n${closeFence(renderer.mark, slot.name)}\n`);
  }
  return { pieces, plan };
}

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
    return budget.take(
      part.type === "text" ? text : marker(part, refs, text, renderer.wording),
      slot.section,
    );
  });
}

/** `[image 2: menu.png]`: the number counts the sample's media in order of first appearance. */
function marker(
  part: Exclude<ContentPart, { type: "text" }>,
  refs: readonly string[],
  file: string,
  wording: PromptWording,
): string {
  const name = wording.mediaName(part.type, refs.indexOf(part.ref) + 1);
  return `\n${wording.mediaMark(name, file.replace(/\s+/g, " "))}\n`;
}

/** Room kept for the fence of a gist and for what is remarked of it. */
const frameTokens = 80;

interface GistTexts {
  readonly plan: IntegrationPlan;
  /** By reference. */
  readonly texts: ReadonlyMap<string, string>;
}

function gistTexts(
  view: SampleView,
  slots: readonly Slot[],
  refs: readonly string[],
  renderer: Renderer,
): GistTexts {
  const { budget, fence, wording } = renderer;
  const texts = new Map<string, string>();
  for (const { ref, kind } of view.problems) {
    if (!refs.includes(ref) || view.gists.some((placed) => placed.ref === ref)) continue;
    texts.set(ref, budget.take(`${wording.noGist(wording.problems[kind])}\n`, "gists"));
  }
  const described = new Map(
    view.gists.map(({ ref, gist }) => [ref, { ...gist, text: fence.clean(gist.text, "gists") }]),
  );
  const room = budget.left - frameTokens * new Set(view.gists.map(({ gist }) => gist.hash)).size;
  const plan = planIntegration(sampleParts(view.sample), described, Math.max(0, room));
  const videos = new Set(
    sampleParts(view.sample).flatMap((part) => (part.type === "video" ? [part.ref] : [])),
  );
  const nameOf = (number: number): string =>
    wording.mediaName(videos.has(refs[number - 1] ?? "") ? "video" : "image", number);
  for (const planned of plan.pictures) {
    const placed = view.gists.find(({ ref }) => ref === planned.ref);
    const isNotShown = view.notShown.has(planned.ref);
    if (!placed) continue;
    const section = sectionOf(planned.ref, slots);
    texts.set(planned.ref, gistText({ planned, ...placed, section, isNotShown, nameOf }, renderer));
  }
  return { plan, texts };
}

/** Where the picture stands; of several places the most important one. */
const sectionOf = (ref: string, slots: readonly Slot[]): PromptSection =>
  byClaim(slots).find(({ parts }) => parts.some((part) => part.type !== "text" && part.ref === ref))
    ?.section ?? "gists";

interface GistInPlace extends PlacedGist {
  readonly planned: PlannedPicture;
  readonly section: PromptSection;
  readonly isNotShown: boolean;
  readonly nameOf: (number: number) => string;
}

function gistText(
  { planned, gist, section, isNotShown, nameOf }: GistInPlace,
  { budget, mark, wording }: Renderer,
): string {
  if (planned.sameAs !== null)
    return budget.take(`${wording.sameContent(nameOf(planned.sameAs))}\n`, "gists");
  const [opener] = planned.group;
  const remarks = [
    ...(gist.flags.length > 0
      ? [wording.doubtfulGist(gist.flags.map((flag) => wording.gistFlags[flag]))]
      : []),
    ...(isNotShown ? [wording.notShown] : []),
    ...(gist.pieces === undefined || !gist.notes?.includes("tiled") || isNotShown
      ? []
      : [wording.inPieces(gist.pieces)]),
    ...(gist.notes ?? []).flatMap((note) => wording.pictureNotes[note] ?? []),
    ...(planned.group.length > 1 && opener === planned.number
      ? [wording.seenTogether(planned.group.map(nameOf))]
      : []),
    ...(planned.leftOut === null
      ? []
      : [wording.saidBefore(planned.leftOut.lines, planned.leftOut.saidOf.map(nameOf))]),
  ];
  const name = `gist ${planned.number} ${gist.strategy}`;
  const remark = remarks.length > 0 ? `${wording.remark(remarks)}\n` : "";
  const frame = `${openFence(mark, name)}\n${remark}\n${closeFence(mark, name)}\n`;
  if (!budget.reserve(estimateTokens(frame), "gists")) {
    // Neither seen nor described: what it stands in is cut, and not only a description.
    budget.take(planned.text, isNotShown ? section : "gists", 0);
    return "";
  }
  const body = budget.take(planned.text, "gists", planned.share);
  return `${openFence(mark, name)}\n${remark}${body}\n${closeFence(mark, name)}\n`;
}
