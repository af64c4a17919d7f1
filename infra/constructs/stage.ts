/** A hop that works off a queue: its function and the mapping that feeds it. The pipeline stack is made of these. */
import { hops } from "@touchstone/core/pipeline";
import { Duration } from "aws-cdk-lib";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Construct } from "constructs";
import { type HopContext, HopFunction, type HopFunctionProps } from "./hop-function.ts";

export const stageHops = ["intake", "describe", "score", "settle", "learn"] as const;
export type StageHop = (typeof stageHops)[number];

export interface StageProps extends HopFunctionProps {
  readonly hop: StageHop;
  readonly batchSize: number;
  /** How long a batch is collected. */
  readonly windowSeconds: number;
}

export class Stage extends HopFunction {
  constructor(scope: Construct, id: string, context: HopContext, props: StageProps) {
    super(scope, id, context, props);
    const { queue } = context.resources.queues[hops[props.hop].reads];
    this.function.addEventSource(
      new SqsEventSource(queue, {
        batchSize: props.batchSize,
        ...(props.windowSeconds > 0 && { maxBatchingWindow: Duration.seconds(props.windowSeconds) }),
        maxConcurrency: context.config.concurrency[props.hop],
        reportBatchItemFailures: true,
      }),
    );
  }
}
