/** A replay: the same file taken in once more, as a new run. The CLI and SWEEP send the request to the uploads queue. */
import * as z from "zod";
import { batchIdSchema } from "./identity.ts";

/** Outcomes that a replay may be limited to; what a machine vouched for is only replayed with the whole file. */
export const replayableOutcomes = ["failed", "invalid", "review"] as const;
export type ReplayableOutcome = (typeof replayableOutcomes)[number];

/** Which earlier run is repeated, and which of its samples; without `only`, the whole file. */
export const replaySourceSchema = z.strictObject({
  run: z.int().min(1),
  only: z.array(z.enum(replayableOutcomes)).min(1).optional(),
});
export type ReplaySource = z.infer<typeof replaySourceSchema>;

/** Asks INTAKE to open `run` of a batch; whoever asks twice for the same run gets one. */
export const replayRequestSchema = z.strictObject({
  kind: z.literal("replay"),
  schema: z.literal(1),
  batch: batchIdSchema,
  /** The new run. */
  run: z.int().min(2),
  replays: replaySourceSchema,
});
export type ReplayRequest = z.infer<typeof replayRequestSchema>;
