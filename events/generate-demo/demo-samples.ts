/** What each generator hands to events/generate-demo.ts. */
import type { Sample } from "@touchstone/core/schema/sample";

export interface DemoSamples {
  /** The labelled set. */
  readonly examples: readonly Sample[];
  /** The fresh batch. */
  readonly fresh: readonly Sample[];
}
