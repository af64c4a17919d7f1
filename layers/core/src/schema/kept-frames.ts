/** The key frames of a video as DESCRIBE keeps them between two turns; the pictures lie beside it. */
import * as z from "zod";

export const keptFramesSchema = z.strictObject({
  durationMs: z.number().min(0),
  hasSound: z.boolean(),
  scenes: z.int().min(1),
  frames: z.array(z.strictObject({ atMs: z.number().min(0), scene: z.int().min(0) })).min(1),
});
export type KeptFrames = z.infer<typeof keptFramesSchema>;
