/** A sample as named slots in reading order, and the order in which they may claim room in a prompt. */
import { type ContentPart, contentParts } from "../../schema/content.ts";
import type { Sample } from "../../schema/sample.ts";

/** Everything in a prompt that can be cut, most important first; `cuts` name these. */
export const promptSections = [
  "standard",
  "rubric",
  "images",
  "output",
  "candidates",
  "messages",
  "deliverables",
  "input",
  "reference",
  "executions",
  "gists",
  "examples",
] as const;
export type PromptSection = (typeof promptSections)[number];

/** Where one of these was cut, the judge has not seen what it judges by or what it judges: never `machine`. */
export const decisiveSections: readonly PromptSection[] = [
  "standard",
  "rubric",
  "output",
  "candidates",
  "messages",
  "deliverables",
];

export interface Slot {
  readonly section: PromptSection;
  /** Name in the slot's fence; made of our words alone, never of the sample's. */
  readonly name: string;
  readonly parts: readonly ContentPart[];
}

/** The letter a candidate is shown as; its id stays hidden. */
export const candidateLetter = (index: number): string => String.fromCharCode(65 + index);

/** The slots of a sample in the order in which they are shown. */
export function sampleSlots(sample: Sample): Slot[] {
  const named = (name: string, parts: readonly ContentPart[]): readonly ContentPart[] => [
    { type: "text", text: `${name}\n` },
    ...parts,
  ];
  const slots: Slot[] = [
    { section: "input", name: "input", parts: contentParts(sample.input) },
    { section: "reference", name: "reference", parts: contentParts(sample.reference) },
    ...(sample.messages ?? []).map((message, index): Slot => {
      const parts = contentParts(message.content);
      return {
        section: "messages",
        name: `message ${index + 1} ${message.role}`,
        parts: message.name === undefined ? parts : named(`[${message.name}]`, parts),
      };
    }),
    { section: "output", name: "output", parts: contentParts(sample.output) },
    ...(sample.candidates ?? []).map(
      (candidate, index): Slot => ({
        section: "candidates",
        name: `candidate ${candidateLetter(index)}`,
        parts: contentParts(candidate.output),
      }),
    ),
    ...(sample.deliverables ?? []).map(
      (deliverable, index): Slot => ({
        section: "deliverables",
        name: `deliverable ${index + 1}`,
        parts: named(deliverable.name, contentParts(deliverable.content)),
      }),
    ),
    { section: "executions", name: "executions", parts: executionParts(sample) },
  ];
  // An empty output is judged like any other; an absent one has no slot.
  return slots.filter((slot) => slot.parts.length > 0);
}

/** The order in which slots claim room: by section, and of the messages the latest first. */
export function byClaim(slots: readonly Slot[]): Slot[] {
  const rank = (slot: Slot): number => promptSections.indexOf(slot.section);
  return slots
    .map((slot, index) => ({ slot, index: slot.section === "messages" ? -index : index }))
    .sort((left, right) => rank(left.slot) - rank(right.slot) || left.index - right.index)
    .map(({ slot }) => slot);
}

function executionParts(sample: Sample): ContentPart[] {
  if (!sample.executions) return [];
  const lines = sample.executions.map(
    ({ name, outcome, group }) => `${group === undefined ? "" : `${group} / `}${name}: ${outcome}`,
  );
  return [{ type: "text", text: lines.join("\n") }];
}
