/** Whether a model server's error says that prompt and answer have too many tokens; used by both chat adapters. */

/** Codes and types of the error object, in OpenAI's and llama.cpp's spelling. */
const codes: readonly string[] = [
  "context_length_exceeded",
  "exceed_context_size_error",
  "string_above_max_length",
];

/** OpenAI, vLLM, SGLang, TGI, llama.cpp and hosted models, in this order; the limit where the words name it. */
const wordings: readonly RegExp[] = [
  /maximum context length (?:is|of) (\d+)/i,
  /maximum (?:model|sequence) length (?:is|of) (\d+)/i,
  /context (?:length|window)(?: limit)?\s*(?:is|of|\()\s*(\d+)/i,
  /max_(?:new_)?tokens`? must be <= (\d+)/i,
  /must have less than (\d+) tokens/i,
  /\d+ tokens > (\d+) maximum/i,
  /max_model_len\D{0,12}(\d+)?/i,
  /(?:exceeds?|longer than|larger than|over) the[^.]{0,40}context/i,
  /prompt is too long|too many (?:input )?tokens/i,
];

/** `limitTokens`: what prompt and answer may have together, null where it is not said; null for any other error. */
export const contextLength = (said: {
  readonly message: string;
  readonly code: string;
}): { readonly limitTokens: number | null } | null => {
  const match = wordings.map((wording) => wording.exec(said.message)).find((found) => found !== null);
  if (match) return { limitTokens: match[1] === undefined ? null : Number(match[1]) };
  return codes.includes(said.code) ? { limitTokens: null } : null;
};
