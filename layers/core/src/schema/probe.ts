/** What a probe found out about a judge's server: how far its probabilities can be believed, and in what shape they come. */
import * as z from "zod";

export const probeFindingsSchema = z.strictObject({
  /** Where a thought before the answer went: among the tokens of the answer, in a field of its own, in the text. */
  reasoning: z.enum(["none", "in-logprobs", "apart", "in-content"]),
  /** Whether a choice can be forced, and whether the probabilities are those before or after the force. */
  guided: z.enum(["unsupported", "ignored", "before-grammar", "after-grammar", "unclear"]),
  /** The parameter that forced it; null where none did. */
  guidedBy: z.enum(["structured_outputs", "guided_choice", "response_format"]).nullable(),
  /** `raw`: temperature leaves them alone; `processed`: it changes them. */
  logprobs: z.enum(["missing", "raw", "processed", "unclear"]),
  /** Bytes of tokens: true ones, those of the replacement character where a character was cut, or none. */
  bytes: z.enum(["true", "replaced", "none", "unclear"]),
  /** Most alternatives that came for one token, of 20 that were asked for. */
  topLogprobs: z.int().min(0),
  /** Whether five equal calls at once agreed within a tenth of a nat; null where nothing could be compared. */
  steady: z.boolean().nullable(),
});
export type ProbeFindings = z.infer<typeof probeFindingsSchema>;

export const probeRecordSchema = z.strictObject({
  schema: z.literal(1),
  /** Without credentials; with the model it names the record. */
  url: z.string().min(1),
  model: z.string().min(1),
  /** The model's own name in its answers. */
  answeredBy: z.string().nullable(),
  /** Epoch milliseconds. */
  at: z.int().min(0),
  findings: probeFindingsSchema,
  /** Behind the findings; not part of the fingerprint, since they differ a little every time. */
  measures: z.strictObject({
    /** Probability of the forced choices, in all. */
    guidedMass: z.number().nullable(),
    /** Change of the verdict's log odds from temperature 0 to 0.7, in nat. */
    temperatureShift: z.number().nullable(),
    /** Largest difference of a label's log probability between equal calls, in nat. */
    maxDelta: z.number().nullable(),
  }),
});
export type ProbeRecord = z.infer<typeof probeRecordSchema>;
