/** A gist: the faithful description of one picture, made before anyone judges. */
import * as z from "zod";
import { mediaRefSchema } from "./content.ts";

/** `text`: nearly all words; `picture`: nearly all image; `mixed`: both, and whatever is unsure. */
export const strategies = ["text", "picture", "mixed"] as const;
export type Strategy = (typeof strategies)[number];

/** Why a gist must not be trusted silently. */
export const gistFlags = ["repeats", "cut", "evaluates", "empty"] as const;
export type GistFlag = (typeof gistFlags)[number];

export const strategyChoiceSchema = z.strictObject({
  strategy: z.enum(strategies),
  probabilities: z.strictObject({ text: z.number(), picture: z.number(), mixed: z.number() }),
  /** The classifier could not tell; the mixed style is used. */
  unsure: z.boolean(),
  model: z.string().min(1),
});
export type StrategyChoice = z.infer<typeof strategyChoiceSchema>;

/** What is cached: by content hash, strategy and captioner, never by file name. */
export const gistSchema = z.strictObject({
  /** SHA-256 of the picture's bytes, hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  strategy: z.enum(strategies),
  unsure: z.boolean(),
  text: z.string(),
  flags: z.array(z.enum(gistFlags)),
  width: z.int().min(1),
  height: z.int().min(1),
  captioner: z.string(),
  strategyModel: z.string(),
  tokens: z.int().min(0),
});
export type Gist = z.infer<typeof gistSchema>;

export const mediaProblemKinds = [
  "missing",
  "unreadable",
  "unsupported",
  "too-large",
  "refused",
  "undescribed",
] as const;

/** A picture that could not be described, and why, in words for the person who sent it. */
export const mediaProblemSchema = z.strictObject({
  ref: mediaRefSchema,
  kind: z.enum(mediaProblemKinds),
  message: z.string().max(500),
});
export type MediaProblem = z.infer<typeof mediaProblemSchema>;

/** A gist in its place: which of the sample's references it describes. */
export const placedGistSchema = z.strictObject({ ref: mediaRefSchema, gist: gistSchema });
export type PlacedGist = z.infer<typeof placedGistSchema>;
