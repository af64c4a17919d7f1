/** Every duration of the pipeline in one table, so that model time-out < lease < visibility can be tested. */

/** Seconds, except where the name says otherwise. */
export interface Timing {
  readonly functionTimeout: {
    readonly intake: number;
    readonly describe: number;
    readonly score: number;
    readonly settle: number;
    readonly review: number;
    readonly sweep: number;
  };
  readonly modelTimeout: { readonly strategy: number; readonly captioner: number; readonly judge: number };
  readonly lease: { readonly gist: number; readonly sample: number; readonly review: number };
  readonly sweep: {
    readonly period: number;
    /** A split is quiet after this long; doubles with every re-send. */
    readonly quietAfter: number;
    readonly reviewHintAfter: number;
  };
  readonly retryDelay: { readonly first: number; readonly most: number };
  readonly queueRetention: number;
}

const table: Timing = {
  functionTimeout: { intake: 900, describe: 120, score: 120, settle: 120, review: 15, sweep: 300 },
  modelTimeout: { strategy: 15, captioner: 55, judge: 55 },
  lease: { gist: 150, sample: 150, review: 1800 },
  sweep: { period: 300, quietAfter: 900, reviewHintAfter: 12 * 86_400 },
  retryDelay: { first: 5, most: 900 },
  queueRetention: 14 * 86_400,
};

/** AWS asks for a visibility time-out of at least six function time-outs. */
export const visibilityFactor = 6;
/** Attempts at a model before SCORE or DESCRIBE gives a sample up. */
export const maxAttempts = 3;
/** Turns that a sample waits without failing, a day and a half at the longest delay; after that a turn is an attempt. */
export const maxWaits = 200;
/** Re-sends of a quiet split before SWEEP declares its samples lost. */
export const maxResends = 5;

/**
 * The table, divided by `scale`: 1 in every deployment; more where a test lets hours pass in seconds.
 * Nothing falls below one second, which is the grain of SQS and Lambda.
 */
export const timing = (scale = 1): Timing => {
  const scaled = (seconds: number): number => Math.max(1, Math.round(seconds / scale));
  const row = <Row extends Readonly<Record<string, number>>>(values: Row): Row =>
    // The mapped object has the very keys of `values`; fromEntries cannot say so in its type.
    Object.fromEntries(Object.entries(values).map(([name, seconds]) => [name, scaled(seconds)])) as Row;
  return {
    functionTimeout: row(table.functionTimeout),
    modelTimeout: row(table.modelTimeout),
    lease: row(table.lease),
    sweep: row(table.sweep),
    retryDelay: row(table.retryDelay),
    queueRetention: table.queueRetention,
  };
};
