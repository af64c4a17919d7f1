/** Every duration of the pipeline in one table, so that model time-out < lease < visibility can be tested. */

/** Seconds, except where the name says otherwise. */
export interface Timing {
  readonly functionTimeout: {
    readonly intake: number;
    readonly describe: number;
    readonly score: number;
    readonly settle: number;
    readonly review: number;
    readonly learn: number;
    readonly sweep: number;
  };
  readonly modelTimeout: { readonly strategy: number; readonly captioner: number; readonly judge: number };
  /** Of a judge that streams: SageMaker's sixty seconds do not hold for it, the function's own time does. */
  readonly streamedJudge: number;
  readonly lease: { readonly gist: number; readonly sample: number; readonly review: number };
  readonly sweep: {
    readonly period: number;
    /** A split is quiet after this long; doubles with every re-send. */
    readonly quietAfter: number;
    readonly reviewHintAfter: number;
    /** Verdicts on a final batch wait this long for others, then its result files are written again. */
    readonly reviseAfter: number;
    /** Files of the inbox that are older are not looked at any more. */
    readonly announceWithin: number;
  };
  readonly retryDelay: { readonly first: number; readonly most: number };
  /** Of an endpoint's circuit breaker: see BreakerPolicy. */
  readonly breaker: {
    readonly span: number;
    readonly first: number;
    readonly most: number;
    readonly probe: number;
  };
  /** SCORE tells SETTLE together of what ends within this time; at once when nothing else of the invocation is under way. */
  readonly gatherOutcomes: number;
  /** How long SCORE goes by what it has read of a family's trust. */
  readonly trustFresh: number;
  /** A sample waits for an endpoint this long, then it is given up. */
  readonly longestWait: number;
  readonly queueRetention: number;
}

const table: Timing = {
  functionTimeout: { intake: 900, describe: 120, score: 120, settle: 120, review: 15, learn: 60, sweep: 300 },
  modelTimeout: { strategy: 15, captioner: 55, judge: 55 },
  streamedJudge: 100,
  lease: { gist: 150, sample: 150, review: 1800 },
  sweep: {
    period: 300,
    quietAfter: 900,
    reviewHintAfter: 12 * 86_400,
    reviseAfter: 3600,
    announceWithin: 7 * 86_400,
  },
  retryDelay: { first: 5, most: 900 },
  breaker: { span: 2, first: 10, most: 300, probe: 150 },
  gatherOutcomes: 5,
  trustFresh: 60,
  // A long weekend, with a day to spare.
  longestWait: 4 * 86_400,
  queueRetention: 14 * 86_400,
};

/** AWS asks for a visibility time-out of at least six function time-outs. */
export const visibilityFactor = 6;
/** Attempts at a model before SCORE or DESCRIBE gives a sample up. */
export const maxAttempts = 3;
/** More than a sample has attempts, so that a single one which no judge can bear is given up before it opens a breaker. */
export const breakerWitnesses = 5;
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
    // Nothing waits for these two to time out, and a slow machine must not cut them short.
    functionTimeout: {
      ...row(table.functionTimeout),
      review: table.functionTimeout.review,
      sweep: table.functionTimeout.sweep,
    },
    modelTimeout: row(table.modelTimeout),
    streamedJudge: scaled(table.streamedJudge),
    lease: row(table.lease),
    sweep: row(table.sweep),
    retryDelay: row(table.retryDelay),
    breaker: row(table.breaker),
    gatherOutcomes: scaled(table.gatherOutcomes),
    trustFresh: scaled(table.trustFresh),
    longestWait: scaled(table.longestWait),
    queueRetention: table.queueRetention,
  };
};
