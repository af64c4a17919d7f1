/** A gist: the faithful description of one picture, made before anyone judges. */
import * as z from "zod";
import { mediaRefSchema } from "./content.ts";

/** `text`: nearly all words; `picture`: nearly all image; `mixed`: both, and whatever is unsure. */
export const strategies = ["text", "picture", "mixed"] as const;
export type Strategy = (typeof strategies)[number];

/** Why a gist must not be trusted silently. */
export const gistFlags = ["repeats", "cut", "evaluates", "empty", "contradicts"] as const;
export type GistFlag = (typeof gistFlags)[number];

export const strategyChoiceSchema = z.strictObject({
  strategy: z.enum(strategies),
  probabilities: z.strictObject({ text: z.number(), picture: z.number(), mixed: z.number() }),
  /** The classifier could not tell; the mixed style is used. */
  unsure: z.boolean(),
  model: z.string().min(1),
});
export type StrategyChoice = z.infer<typeof strategyChoiceSchema>;

/** How the pictures of a sample stand to each other, by number and by what stands between them. */
export const integrationPatterns = ["none", "single", "one-by-one", "sequence", "comparison"] as const;
export type IntegrationPattern = (typeof integrationPatterns)[number];

/** How gists went into a prompt, and what that saved. */
export const integrationSchema = z.strictObject({
  pattern: z.enum(integrationPatterns),
  /** Tokens that were not sent twice, by the strategy of their pictures. */
  savedTokens: z.strictObject({ text: z.int().min(0), picture: z.int().min(0), mixed: z.int().min(0) }),
});
export type Integration = z.infer<typeof integrationSchema>;

/** What was done to a picture on its way to models and reviewers. */
export const pictureNotes = [
  "turned",
  "first-frame",
  "sixteen-bit",
  "cmyk",
  "on-white",
  "on-grey",
  "on-dark",
  "shrunk",
  "enlarged",
  "padded",
  "tiled",
] as const;
export type PictureNote = (typeof pictureNotes)[number];

/** Why a file is not a picture that models can be given; `picture-fault.ts` says it in words. */
export const pictureFaults = [
  "empty-file",
  "web-page",
  "no-picture",
  "format-not-read",
  "cut-off",
  "damaged",
  "too-many-pixels",
  "too-few-pixels",
  "too-slow",
] as const;
export type PictureFault = (typeof pictureFaults)[number];

/** With what it is, or how large: `picture-fault.ts` puts it into words. */
export const foundFaultSchema = z.strictObject({ name: z.enum(pictureFaults), detail: z.string().max(300) });
export type FoundFault = z.infer<typeof foundFaultSchema>;

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
  /** Version of the normaliser that made what is staged and was described. */
  normaliser: z.string().min(1).optional(),
  /** A very long picture is staged and shown in this many overlapping pieces; left out where it is one. */
  pieces: z.int().min(2).optional(),
  /** Left out where nothing had to be done. */
  notes: z.array(z.enum(pictureNotes)).min(1).optional(),
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
  /** Where the file itself is the reason. */
  fault: foundFaultSchema.optional(),
  message: z.string().max(500),
});
export type MediaProblem = z.infer<typeof mediaProblemSchema>;

/** A gist in its place: which of the sample's references it describes. */
export const placedGistSchema = z.strictObject({ ref: mediaRefSchema, gist: gistSchema });
export type PlacedGist = z.infer<typeof placedGistSchema>;

/** The gists of a sample's pictures, in the order of the pictures. */
export const gistListSchema = z.array(placedGistSchema);
