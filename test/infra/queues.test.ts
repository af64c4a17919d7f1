/** Every queue can fail safely: dead letters, time to work, a retention that leaves time to look, and an alarm. */
import { hops } from "@touchstone/core/pipeline";
import { timing, visibilityFactor } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { runbookArticles } from "../../infra/constructs/runbook-alarm.ts";
import { declare, numberAt, referredBy, refersTo } from "./declared.ts";

describe.each(["dev", "prod"])("queues of %s", (stage) => {
  const app = declare({ stage });
  const queues = app.ofType("AWS::SQS::Queue");
  const deadLetters = queues.filter(({ path }) => path.includes("/DeadLetters/"));
  const working = queues.filter((queue) => !deadLetters.includes(queue));
  const mappings = app.ofType("AWS::Lambda::EventSourceMapping");
  const functions = app.ofType("AWS::Lambda::Function");
  const alarms = app.ofType("AWS::CloudWatch::Alarm");

  test("there is one queue for each that hops name, and as many dead-letter queues", () => {
    expect(working).toHaveLength(6);
    expect(deadLetters).toHaveLength(6);
  });

  test.each(working)(
    "$path has a dead-letter queue that keeps messages longer than it does itself",
    (queue) => {
      expect(queue.properties.RedrivePolicy).toMatchObject({ maxReceiveCount: expect.any(Number) });
      const policy = Object(queue.properties.RedrivePolicy);
      expect(policy.maxReceiveCount).toBeGreaterThanOrEqual(3);
      const dead = referredBy(policy.deadLetterTargetArn, deadLetters);
      expect(numberAt(dead, "MessageRetentionPeriod")).toBe(14 * 86_400);
      expect(numberAt(queue, "MessageRetentionPeriod")).toBeLessThan(14 * 86_400);
    },
  );

  test.each(queues)("$path is encrypted and refuses plain HTTP", (queue) => {
    expect(queue.properties.SqsManagedSseEnabled).toBe(true);
    const policy = app
      .ofType("AWS::SQS::QueuePolicy")
      .find(({ properties }) => refersTo(properties.Queues, queue));
    expect(policy?.properties.PolicyDocument).toMatchObject({
      Statement: expect.arrayContaining([
        expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      ]),
    });
  });

  test("each hop that reads a queue has one mapping", () => {
    const reading = Object.values(hops).filter(({ reads }) => reads !== null);
    expect(mappings).toHaveLength(reading.length);
  });

  test.each(mappings)("$path reports single failures and leaves room for concurrency", ({ properties }) => {
    expect(properties.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
    expect(Object(properties.ScalingConfig).MaximumConcurrency).toBeGreaterThanOrEqual(2);
    const window = properties.MaximumBatchingWindowInSeconds ?? 0;
    if (Number(properties.BatchSize) > 10) expect(window).toBeGreaterThanOrEqual(1);
  });

  test.each(mappings)(
    "$path: nobody else sees a message while its function may still work on it",
    (mapping) => {
      const queue = referredBy(mapping.properties.EventSourceArn, working);
      const lambda = referredBy(mapping.properties.FunctionName, functions);
      const window = Number(mapping.properties.MaximumBatchingWindowInSeconds ?? 0);
      const needed = visibilityFactor * numberAt(lambda, "Timeout") + window;
      expect(numberAt(queue, "VisibilityTimeout")).toBeGreaterThanOrEqual(needed);
    },
  );

  test("settling waits for nobody and is never alone: ten messages, no window, 2 to 5 at a time", () => {
    const settle = mappings.find(({ path }) => path.startsWith("Settle/"));
    expect(settle?.properties).toMatchObject({ BatchSize: 10 });
    expect(settle?.properties).not.toHaveProperty("MaximumBatchingWindowInSeconds");
    expect([2, 3, 4, 5]).toContain(Object(settle?.properties.ScalingConfig).MaximumConcurrency);
  });

  test.each(deadLetters)("$path sounds an alarm at the first message", (queue) => {
    const alarm = alarms.find(({ properties }) => refersTo(properties.Dimensions, queue));
    expect(alarm?.properties).toMatchObject({
      MetricName: "ApproximateNumberOfMessagesVisible",
      Threshold: 0,
      ComparisonOperator: "GreaterThanThreshold",
      TreatMissingData: "notBreaching",
    });
  });

  test.each(working)("$path sounds an alarm when its oldest message is late", (queue) => {
    const alarm = alarms.find(({ properties }) => refersTo(properties.Dimensions, queue));
    expect(alarm?.properties.MetricName).toBe("ApproximateAgeOfOldestMessage");
  });

  test.each(alarms)("$path names an article of the runbook", ({ properties }) => {
    const article = /README\.md#([a-z-]+)$/.exec(String(properties.AlarmDescription))?.[1];
    expect(runbookArticles).toContain(article);
  });

  test("an open review is hinted at again before its hint expires", () => {
    const review = working.find(({ path }) => path.startsWith("ReviewQueue/"));
    expect(review && numberAt(review, "MessageRetentionPeriod")).toBeGreaterThan(
      timing().sweep.reviewHintAfter,
    );
  });
});

test("an alarm topic of the configuration hears every alarm", () => {
  const topic = "arn:aws:sns:eu-central-1:111111111111:alarms";
  const alarms = declare({ alarmTopicArn: topic }).ofType("AWS::CloudWatch::Alarm");
  expect(alarms.map(({ properties }) => properties.AlarmActions)).toEqual(alarms.map(() => [topic]));
});
