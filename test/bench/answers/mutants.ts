/** Draws mutants: a right answer with one to five things done to it, and what must be left of it. */
import type { Dice } from "../../../events/generate-demo/random.ts";
import { type Draft, drawDraft } from "./draft.ts";
import { type Enveloped, envelopes, plainEnvelope } from "./envelopes.ts";
import { shapeChanges, writePlain } from "./shape-changes.ts";
import { valueChanges } from "./value-changes.ts";
import { dented, truncated, unwrapped, wrappings } from "./wrappings.ts";

export interface Mutant extends Enveloped {
  readonly draft: Draft;
  /** What was done to it, in order. */
  readonly names: readonly string[];
}

/** Of a hundred mutants, so many have such a change; at least one has any. */
const shares = { value: 55, shape: 45, wrapping: 50, envelope: 25, dent: 8, cut: 8 } as const;

export const drawMutant = (dice: Dice): Mutant => {
  const names: string[] = [];
  const has = (share: number): boolean => dice.below(100) < share;
  const drawn = <Change>(
    changes: Readonly<Record<string, Change>>,
    share: number,
    otherwise: Change,
  ): Change => {
    if (!has(share)) return otherwise;
    const name = dice.pick(Object.keys(changes));
    names.push(name);
    return changes[name] ?? otherwise;
  };

  const draft = drawn(valueChanges, shares.value, (same) => same)(drawDraft(dice), dice);
  const shape = drawn(shapeChanges, shares.shape, writePlain)(draft, dice);
  let wrapped = drawn(wrappings, shares.wrapping, unwrapped)(shape, dice);
  // A dent in what is broken already may well mend it.
  const isWhole = [...wrapped.draft.fate.values()].some((fate) => fate !== "gone");
  if (isWhole && has(shares.dent)) {
    names.push("a dent");
    wrapped = dented(wrapped, dice);
  } else if (has(shares.cut)) {
    names.push("a cut");
    wrapped = truncated(wrapped, dice);
  }
  const envelope = drawn(envelopes, shares.envelope, plainEnvelope);
  if (names.length === 0) return drawMutant(dice);
  const made = envelope(wrapped, dice);
  return { ...made, draft: made.wrapped.draft, names };
};
