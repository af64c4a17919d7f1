/** Builds token logprobs as servers send them; used by the confidence tests. */
import type { TokenLogprob } from "@touchstone/core/schema/chat";

export interface Alternatives {
  readonly [token: string]: number;
}

/** A token chosen with probability `p`, with its alternatives; bytes are true UTF-8 unless given. */
export function token(text: string, p = 1, alternatives: Alternatives = {}, bytes?: number[]): TokenLogprob {
  const entries = Object.entries({ ...alternatives, [text]: p });
  return {
    token: text,
    logprob: Math.log(p),
    bytes: bytes ?? [...Buffer.from(text)],
    top_logprobs: entries.map(([name, share]) => ({
      token: name,
      logprob: Math.log(share),
      bytes: [...Buffer.from(name)],
    })),
  };
}

/** The same tokens without bytes, as servers send them that do not know them. */
export const withoutBytes = (tokens: readonly TokenLogprob[]): TokenLogprob[] =>
  tokens.map((one) => ({ ...one, bytes: null }));
