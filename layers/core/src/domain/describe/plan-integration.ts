/**
 * Plans how the gists of a sample's pictures go into one prompt: which picture is which, what was said before, and how many
 * tokens each may take. Called by `renderSample`; pure.
 */
import type { ContentPart } from "../../schema/content.ts";
import type { GistFlag, IntegrationPattern, Strategy } from "../../schema/gist.ts";
import { estimateTokens, pictureTokens } from "../judge/token-estimate.ts";
import { integrationPattern, pictureGroups } from "./picture-groups.ts";
import { distinctShare } from "./repeats.ts";
import { withoutSaid } from "./said-before.ts";

/** A picture's gist as far as a plan needs it; the text as it would stand in the prompt. */
export interface DescribedPicture {
  readonly hash: string;
  readonly strategy: Strategy;
  readonly text: string;
  readonly flags: readonly GistFlag[];
  /** Of each tile in which it is shown, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly pieces?: number | undefined;
}

export interface PlannedPicture {
  readonly ref: string;
  /** By which judge and people name it: "image 2", 图2. Counts the sample's media in order of first appearance. */
  readonly number: number;
  /** An earlier picture with the same content: nothing is shown or said again. */
  readonly sameAs: number | null;
  /** What is to be said of it: lines that an earlier picture of its group has too are left out. */
  readonly text: string;
  readonly leftOut: { readonly lines: number; readonly saidOf: readonly number[] } | null;
  /** Tokens that `text` may take. */
  readonly share: number;
  /** Numbers of the pictures that are meant to be seen together, itself included; alone where there is only one. */
  readonly group: readonly number[];
}

export interface IntegrationPlan {
  readonly pattern: IntegrationPattern;
  /** Every described picture once, in order of first appearance. */
  readonly pictures: readonly PlannedPicture[];
  /** Tokens of pictures and gists that need not be sent, by the strategy of their pictures. */
  readonly saved: Readonly<Record<Strategy, number>>;
}

/** Tokens that a gist may have which goes round in circles: it has said it soon. */
const loopTokens = 120;
/** What every gist gets before information is weighed, so that none is silenced by a long neighbour. */
const floorTokens = 80;

/**
 * `parts` are the sample's in reading order, `strategies` the gists by reference, `budget` the tokens for all gist texts.
 * Shares never add up to more than the budget; where everything fits, each text gets exactly what it needs.
 */
export const planIntegration = (
  parts: readonly ContentPart[],
  strategies: ReadonlyMap<string, DescribedPicture>,
  budget: number,
): IntegrationPlan => {
  const groups = pictureGroups(parts, (ref) => strategies.get(ref)?.hash ?? ref);
  const drafts = draftPictures(mediaOf(parts), strategies, groups);
  const shares = shareTokens(drafts.map(demandOf), budget);
  const saved = { text: 0, picture: 0, mixed: 0 };
  for (const { described, spared } of drafts) saved[described.strategy] += spared;
  return {
    pattern: integrationPattern(parts, groups, drafts.filter(({ sameAs }) => sameAs === null).length),
    pictures: drafts.map(({ ref, number, sameAs, text, leftOut, group }, index) => {
      return { ref, number, sameAs, text, leftOut, group, share: shares[index] ?? 0 };
    }),
    saved,
  };
};

const mediaOf = (parts: readonly ContentPart[]): readonly string[] => [
  ...new Set(parts.flatMap((part) => (part.type === "text" ? [] : [part.ref]))),
];

interface Draft extends Omit<PlannedPicture, "share"> {
  readonly described: DescribedPicture;
  /** Tokens that it need not take. */
  readonly spared: number;
}

const draftPictures = (
  refs: readonly string[],
  strategies: ReadonlyMap<string, DescribedPicture>,
  groups: readonly (readonly string[])[],
): readonly Draft[] => {
  const firstOf = new Map<string, number>();
  const said = new Map<number, string>();
  return refs.flatMap((ref, index): readonly Draft[] => {
    const described = strategies.get(ref);
    if (described === undefined) return [];
    const number = index + 1;
    const members = groups.find((group) => group.includes(ref)) ?? [ref];
    const group = members.map((member) => refs.indexOf(member) + 1);
    const sameAs = firstOf.get(described.hash) ?? null;
    if (sameAs !== null) {
      const spared = estimateTokens(described.text) + pictureTokens(described) * (described.pieces ?? 1);
      return [{ ref, number, sameAs, text: "", leftOut: null, group, described, spared }];
    }
    firstOf.set(described.hash, number);
    const earlier = group.flatMap((other) => {
      const text = other < number ? said.get(other) : undefined;
      return text === undefined ? [] : [{ number: other, text }];
    });
    // With all that it says itself, so that a third picture can point at the second or the first.
    said.set(number, described.text);
    const { text, leftOut, spared } = withoutSaid(described.text, earlier);
    return [{ ref, number, sameAs, text, leftOut, group, described, spared }];
  });
};

interface Demand {
  /** All that could be said. */
  readonly tokens: number;
  /** What of it is new: the share of its 8-grams that are different ones. */
  readonly information: number;
}

const demandOf = ({ text, described }: Draft): Demand => {
  const whole = estimateTokens(text);
  const tokens = described.flags.includes("repeats") ? Math.min(whole, loopTokens) : whole;
  return { tokens, information: tokens * distinctShare(text.replace(/\s+/g, "")) };
};

/** A floor for everybody, then by information; what one cannot use goes to the others. Whole tokens. */
const shareTokens = (demands: readonly Demand[], budget: number): readonly number[] => {
  const wanted = demands.reduce((sum, { tokens }) => sum + tokens, 0);
  if (wanted <= budget) return demands.map(({ tokens }) => tokens);
  const speaking = demands.filter(({ tokens }) => tokens > 0).length;
  const floor = Math.max(0, Math.min(floorTokens, Math.floor(budget / Math.max(1, speaking))));
  const shares = demands.map(({ tokens }) => Math.min(tokens, floor));
  for (let left = budget - shares.reduce((sum, share) => sum + share, 0); left >= 1; ) {
    const open = demands.flatMap(({ tokens, information }, index) =>
      tokens > (shares[index] ?? 0) ? [{ index, tokens, information }] : [],
    );
    const weight = open.reduce((sum, { information }) => sum + information, 0);
    let given = 0;
    for (const { index, tokens, information } of open) {
      const share = shares[index] ?? 0;
      const more = Math.min(tokens - share, Math.floor((left * information) / weight));
      shares[index] = share + more;
      given += more;
    }
    left -= given;
    // What rounding leaves is less than one token a picture.
    if (given === 0) break;
  }
  return shares;
};
