/** The OpenAI chat protocol as far as we use it: strict in what we send, tolerant in what we read. */
import * as z from "zod";

export interface ChatTextPart {
  readonly type: "text";
  readonly text: string;
}
export interface ChatImagePart {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
}
export interface ChatTurn {
  readonly role: "system" | "user" | "assistant";
  readonly content: string | readonly (ChatTextPart | ChatImagePart)[];
}
/** The body of `POST /v1/chat/completions`. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatTurn[];
  readonly temperature: number;
  readonly max_tokens: number;
  readonly logprobs?: boolean;
  readonly top_logprobs?: number;
  readonly seed?: number;
  /** Ways to force an answer, each known to some servers; only a probe uses them. */
  readonly structured_outputs?: { readonly choice: readonly string[] };
  readonly guided_choice?: readonly string[];
  readonly response_format?: { readonly type: "json_schema"; readonly json_schema: object };
}

/** One token that could have stood at a place. */
export interface TokenAlternative {
  readonly token: string;
  readonly logprob: number | null;
  readonly bytes?: number[] | null | undefined;
}
export interface TokenLogprob extends TokenAlternative {
  readonly top_logprobs?: readonly TokenAlternative[] | null | undefined;
}

const isAlternative = (value: unknown): value is TokenAlternative => {
  if (typeof value !== "object" || value === null) return false;
  const { token, logprob, bytes }: Partial<Record<keyof TokenAlternative, unknown>> = value;
  if (typeof token !== "string" || (typeof logprob !== "number" && logprob !== null)) return false;
  return isListOrAbsent(bytes, (byte) => typeof byte === "number");
};

const isListOrAbsent = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.every(isItem));

/** By hand: twenty alternatives a token make them the bulk of an answer, and a schema would copy every one. */
const isTokenLogprob = (value: unknown): value is TokenLogprob =>
  isAlternative(value) && isListOrAbsent(Reflect.get(value, "top_logprobs"), isAlternative);

/** SageMaker's LMI wraps the logprobs in a list, and may write a number for an alternative whose bytes it gives. */
const unwrapped = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value;
  const [only]: readonly unknown[] = value;
  if (value.length !== 1 || !isRecord(only) || !Array.isArray(only.content)) return value;
  return { ...only, content: only.content.map(withNamedAlternatives) };
};

const withNamedAlternatives = (token: unknown): unknown =>
  isRecord(token) && Array.isArray(token.top_logprobs)
    ? { ...token, top_logprobs: token.top_logprobs.map(named) }
    : token;

const named = (alternative: unknown): unknown => {
  if (!isRecord(alternative) || typeof alternative.token !== "number") return alternative;
  const { bytes } = alternative;
  if (!Array.isArray(bytes) || !bytes.every((byte) => typeof byte === "number")) return alternative;
  return { ...alternative, token: new TextDecoder().decode(Uint8Array.from(bytes)) };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Servers differ: fields may be missing, null, or of another shape; only what is used is checked. */
export const chatCompletionSchema = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        logprobs: z
          .preprocess(
            unwrapped,
            z.looseObject({ content: z.array(z.custom<TokenLogprob>(isTokenLogprob)).nullish() }).nullish(),
          )
          .catch(null),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
    .nullish()
    .catch(null),
  error: z.unknown().optional(),
});
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;
