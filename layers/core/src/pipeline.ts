/** The hop table: what each hop reads, where it sends what. Start reading here. */
import { learnMessageSchema } from "./schema/learn.ts";
import { describeRequestSchema, scoreRequestSchema, settleMessageSchema } from "./schema/messages.ts";
import { reviewHintSchema } from "./schema/review.ts";
import { uploadsMessageSchema } from "./schema/s3-notification.ts";

export const queueNames = ["uploads", "describe", "score", "settle", "review", "learn"] as const;
export type QueueName = (typeof queueNames)[number];

/** The schema of every message that lies on a queue, by queue. */
export const queueSchemas = {
  uploads: uploadsMessageSchema,
  describe: describeRequestSchema,
  score: scoreRequestSchema,
  settle: settleMessageSchema,
  review: reviewHintSchema,
  learn: learnMessageSchema,
} as const;

export interface Hop {
  /** The queue it reads; null for hops that people or a schedule start. */
  readonly reads: QueueName | null;
  readonly sends: readonly QueueName[];
}

export const hops = {
  intake: { reads: "uploads", sends: ["describe", "score", "settle"] },
  describe: { reads: "describe", sends: ["describe", "score"] },
  score: { reads: "score", sends: ["score", "settle"] },
  settle: { reads: "settle", sends: ["review", "learn"] },
  review: { reads: null, sends: ["settle"] },
  learn: { reads: "learn", sends: ["review"] },
  sweep: { reads: null, sends: ["uploads", "describe", "score", "settle", "review"] },
} as const satisfies Record<string, Hop>;
export type HopName = keyof typeof hops;
