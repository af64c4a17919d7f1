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
}

const alternativeSchema = z.looseObject({
  token: z.string(),
  logprob: z.number().nullable(),
  bytes: z.array(z.number()).nullish(),
});
export const tokenLogprobSchema = alternativeSchema.extend({
  top_logprobs: z.array(alternativeSchema).nullish(),
});
export type TokenLogprob = z.infer<typeof tokenLogprobSchema>;

/** Servers differ: fields may be missing, null, or of another shape; only what is used is checked. */
export const chatCompletionSchema = z.looseObject({
  model: z.string().nullish(),
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        logprobs: z
          .looseObject({ content: z.array(tokenLogprobSchema).nullish() })
          .nullish()
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
