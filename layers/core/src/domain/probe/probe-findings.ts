/** Reads a probe's answers: what the server does to tokens, probabilities and thoughts. Called by the CLI. */
import type { ChatCompletion, TokenLogprob } from "../../schema/chat.ts";
import type { ProbeFindings, ProbeRecord } from "../../schema/probe.ts";
import { type Alignment, alignTokens } from "../confidence/align-tokens.ts";
import { probability } from "../confidence/label-distribution.ts";
import { codeConfidence } from "./code-confidence.ts";

export interface ProbeReplies {
  /** The whole answer. */
  readonly full: ChatCompletion;
  /** The code alone, at temperature 0, several times at once; and once at 0.7. */
  readonly codes: readonly ChatCompletion[];
  readonly warm: ChatCompletion;
  /** The first forced call that was not refused; null where all were. */
  readonly guided: {
    readonly by: NonNullable<ProbeFindings["guidedBy"]>;
    readonly completion: ChatCompletion;
  } | null;
}

const asked = ["Y", "N"] as const;
/** The rest is for rounding: a forced choice leaves nothing to others. */
const allMass = 0.99;
/** Noise of batching and caching moves log probabilities by less than this, in nat. */
const noise = 0.1;
/** From T = 0 to 0.7 the log odds of a processed probability grow by four tenths of themselves. */
const leastShift = 0.2;
/** Log odds below which such a growth drowns in noise. */
const leastOdds = 0.5;

/** Findings with the measures behind them. */
export const readProbe = (replies: ProbeReplies): Pick<ProbeRecord, "findings" | "measures"> => {
  const cold = replies.codes.map((completion) => codeConfidence(completion, asked));
  const maxDelta = largestDelta(cold);
  const shift = oddsShift(cold[0] ?? null, codeConfidence(replies.warm, asked));
  const guided = readGuided(replies.guided);
  const tokens = tokensOf(replies.full);
  return {
    findings: {
      reasoning: reasoningOf(replies.full),
      guided: guided.kind,
      guidedBy:
        guided.kind === "before-grammar" || guided.kind === "after-grammar"
          ? (replies.guided?.by ?? null)
          : null,
      logprobs: logprobsMode(cold[0] ?? null, shift),
      bytes: bytesOf(replies.full),
      topLogprobs: Math.max(0, ...tokens.map((token) => token.top_logprobs?.length ?? 0)),
      steady: maxDelta === null ? null : maxDelta <= noise,
    },
    measures: { guidedMass: guided.mass, temperatureShift: shift, maxDelta },
  };
};

const tokensOf = (completion: ChatCompletion): readonly TokenLogprob[] =>
  completion.choices?.[0]?.logprobs?.content ?? [];

const contentOf = (completion: ChatCompletion): string => completion.choices?.[0]?.message?.content ?? "";

const alignmentOf = (completion: ChatCompletion): Alignment | null => {
  const tokens = tokensOf(completion);
  return tokens.length === 0 ? null : alignTokens(contentOf(completion), tokens);
};

const reasoningOf = (completion: ChatCompletion): ProbeFindings["reasoning"] => {
  const first = alignmentOf(completion)?.tokens[0]?.token;
  const before = first ? tokensOf(completion).slice(0, tokensOf(completion).indexOf(first)) : [];
  if (before.some(({ token }) => token.trim() !== "")) return "in-logprobs";
  const message = completion.choices?.[0]?.message;
  const apart = message?.reasoning_content ?? message?.reasoning;
  if (typeof apart === "string" && apart.trim() !== "") return "apart";
  return /<\/?think(?:ing)?>/i.test(contentOf(completion)) ? "in-content" : "none";
};

/** Only an answer with characters of several bytes can tell. */
const bytesOf = (completion: ChatCompletion): ProbeFindings["bytes"] => {
  const tokens = tokensOf(completion);
  if (tokens.length === 0 || !/[^\p{ASCII}]/u.test(contentOf(completion))) return "unclear";
  if (tokens.every(({ bytes }) => !bytes)) return "none";
  const mode = alignmentOf(completion)?.mode;
  return mode === undefined ? "unclear" : mode === "bytes" ? "true" : "replaced";
};

type Distribution = Readonly<Record<string, number>> | null;

const logprobsMode = (cold: Distribution, shift: number | null): ProbeFindings["logprobs"] => {
  if (cold === null) return "missing";
  const odds = oddsOf(cold);
  if (shift === null || odds === null || Math.abs(odds) < leastOdds) return "unclear";
  return Math.abs(shift) > leastShift * Math.abs(odds) ? "processed" : "raw";
};

const oddsOf = (distribution: Distribution): number | null => {
  const [yes = 0, no = 0] = asked.map((code) => distribution?.[code] ?? 0);
  return yes > 0 && no > 0 ? Math.log(yes / no) : null;
};

const oddsShift = (cold: Distribution, warm: Distribution): number | null => {
  const [before, after] = [oddsOf(cold), oddsOf(warm)];
  return before === null || after === null ? null : after - before;
};

/** Labels that are next to impossible differ wildly and do not matter. */
const leastShare = 0.001;

const largestDelta = (distributions: readonly Distribution[]): number | null => {
  const known = distributions.filter((distribution) => distribution !== null);
  if (known.length < 2) return null;
  const spreads = asked.flatMap((code) => {
    const shares = known.map((distribution) => distribution[code] ?? 0);
    return Math.min(...shares) < leastShare ? [] : [Math.log(Math.max(...shares) / Math.min(...shares))];
  });
  return spreads.length === 0 ? null : Math.max(...spreads);
};

const readGuided = (
  guided: ProbeReplies["guided"],
): { readonly kind: ProbeFindings["guided"]; readonly mass: number | null } => {
  if (guided === null) return { kind: "unsupported", mass: null };
  const content = contentOf(guided.completion);
  const code = /^\s*(?:\{\s*"code"\s*:\s*"([QZ])"\s*\}|"?([QZ])"?)\s*$/.exec(content);
  const said = code?.[1] ?? code?.[2];
  if (said === undefined) return { kind: "ignored", mass: null };
  const at = content.indexOf(said, content.indexOf(":") + 1);
  const placed = alignmentOf(guided.completion)?.tokens.find(({ start, end }) => start <= at && end > at);
  if (!placed) return { kind: "unclear", mass: null };
  const mass = forcedMass(placed.token);
  return { kind: mass === null ? "unclear" : mass >= allMass ? "after-grammar" : "before-grammar", mass };
};

/** Probability of all tokens that say one of the forced codes; null where there are no alternatives to compare with. */
const forcedMass = (token: TokenLogprob): number | null => {
  const listed = new Map((token.top_logprobs ?? []).map((one) => [one.token, probability(one.logprob)]));
  if (listed.size === 0) return null;
  if (!listed.has(token.token)) listed.set(token.token, probability(token.logprob));
  return [...listed].reduce(
    (sum, [text, share]) => (/^[\s":]*[QZ]/.test(text) ? sum + (share ?? 0) : sum),
    0,
  );
};
