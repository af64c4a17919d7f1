/** AWS::Lambda::EventSourceMapping: from an SQS queue to a function, with the checks AWS makes when creating one. */
import * as z from "zod";
import { isAllowed } from "../iam/permission-check.ts";
import { InvalidTemplateError } from "../not-simulated.ts";
import { findFunction } from "./find-function.ts";
import { boolean, integer, tags } from "./property.ts";
import { defineResource } from "./resource.ts";

/** Lambda starts with five concurrent batches per queue; without a maximum it would add more. */
const defaultConcurrency = 5;
const pollerActions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

export const lambdaEventSourceMapping = defineResource({
  type: "AWS::Lambda::EventSourceMapping",
  properties: z.strictObject({
    EventSourceArn: z.string(),
    FunctionName: z.string(),
    BatchSize: integer(1, 10_000).default(10),
    MaximumBatchingWindowInSeconds: integer(0, 300).default(0),
    ScalingConfig: z.strictObject({ MaximumConcurrency: integer(2, 1_000) }).optional(),
    FunctionResponseTypes: z.array(z.literal("ReportBatchItemFailures")).default([]),
    Enabled: boolean.default(true),
    Tags: tags,
  }),
  create(properties, { world, place }) {
    const target = findFunction(world, properties.FunctionName, place);
    const queue = world.sqs.queueByArn(properties.EventSourceArn);
    if (queue === undefined)
      throw new InvalidTemplateError(
        place,
        `there is no queue ${properties.EventSourceArn}: only SQS can be a source`,
      );
    const visibilityMs = Number(queue.attributes.VisibilityTimeout) * 1_000;
    if (visibilityMs < target.pool.timeoutMs)
      throw new InvalidTemplateError(
        place,
        `queue ${queue.name} has a visibility time-out of ${visibilityMs / 1_000} s, less than the function's ${target.pool.timeoutMs / 1_000} s`,
      );
    if (properties.BatchSize > 10 && properties.MaximumBatchingWindowInSeconds === 0)
      throw new InvalidTemplateError(
        place,
        "a BatchSize above 10 needs a MaximumBatchingWindowInSeconds of at least 1",
      );
    world.checks.push(() => {
      for (const action of pollerActions)
        if (!isAllowed(target.role.statements, { action, resource: queue.arn }))
          throw new InvalidTemplateError(
            place,
            `the role of ${target.name} does not allow ${action} on ${queue.arn}`,
          );
    });
    if (properties.Enabled)
      world.eventSources.push({
        queueArn: queue.arn,
        queueName: queue.name,
        pool: target.pool,
        batchSize: properties.BatchSize,
        windowMs: properties.MaximumBatchingWindowInSeconds * 1_000,
        maximumConcurrency: properties.ScalingConfig?.MaximumConcurrency ?? defaultConcurrency,
        reportsItemFailures: properties.FunctionResponseTypes.length > 0,
        region: world.region,
        queueByArn: (arn) => world.sqs.queueByArn(arn),
        tap: world.tap,
        log: (line) => world.log(target.id, line),
      });
    return { ref: place.logicalId, attributes: { Id: place.logicalId } };
  },
});
