/** What all workers share about an endpoint and about a batch's budget; both lie in the tasks table. */
import * as z from "zod";
import { batchIdSchema, taskIdSchema } from "./identity.ts";

/** The models' endpoints, by the part they play. */
export const endpointNames = ["judge", "captioner", "strategy"] as const;
export type EndpointName = (typeof endpointNames)[number];

/** The circuit breaker of an endpoint. Times are epoch milliseconds. */
export const breakerSchema = z.strictObject({
  endpoint: z.enum(endpointNames),
  /** Optimistic lock; 0 for a breaker that nobody has written yet. */
  version: z.int().min(0),
  state: z.enum(["closed", "open"]),
  /** Whose calls have failed since the last answer, each once, and no more than it takes to open. */
  failing: z.array(z.string()),
  failingSince: z.int().nullable(),
  /** Code of the failure that was last written down. */
  reason: z.string().nullable(),
  openedAt: z.int().nullable(),
  /** The next call may be tried from then on. */
  probeAt: z.int().nullable(),
  /** Time between the failure of one probe and the next. */
  delaySeconds: z.number().min(0),
  /** The one call that is being tried; it counts as given up after `until`. */
  probe: z.strictObject({ token: z.string(), until: z.int() }).nullable(),
  closedAt: z.int().nullable(),
});
export type Breaker = z.infer<typeof breakerSchema>;

/** What a batch may spend and has spent on the judge for one task. */
export const callBudgetSchema = z.strictObject({
  batch: batchIdSchema,
  run: z.int().min(1),
  task: taskIdSchema,
  /** Judge calls in all. */
  limit: z.int().min(0),
  /** Calls that may still be made; below 0 where the limit was lowered under what is spent. */
  left: z.int(),
  /** When a person last raised a limit that was used up: samples have been waiting for that. */
  resumedAt: z.int().nullable(),
});
export type CallBudget = z.infer<typeof callBudgetSchema>;
export type BudgetKey = Pick<CallBudget, "batch" | "run" | "task">;
