/** Durations nest: a model call ends before its lease, a lease before the message shows itself again. */
import { timing } from "@touchstone/core/timing";
import { describe, expect, test } from "vitest";
import { declare, numberAt } from "./declared.ts";

describe.each([1, 60])("at time scale %i", (timeScale) => {
  const app = declare({ timeScale });
  const { modelTimeout, streamedJudge, lease } = timing(timeScale);
  const timeoutOf = (hop: string): number => {
    const lambda = app.ofType("AWS::Lambda::Function").find(({ path }) => path.startsWith(`${hop}/`));
    return lambda ? numberAt(lambda, "Timeout") : Number.NaN;
  };
  const visibilityOf = (hop: string): number => {
    const queue = app.ofType("AWS::SQS::Queue").find(({ path }) => path === `${hop}Queue/Queue/Resource`);
    return queue ? numberAt(queue, "VisibilityTimeout") : Number.NaN;
  };

  test.each([
    { hop: "Score", models: [modelTimeout.judge, streamedJudge], leased: lease.sample },
    { hop: "Describe", models: [modelTimeout.strategy, modelTimeout.captioner], leased: lease.gist },
  ])("$hop: model time-out < lease, function time-out < lease < visibility", ({ hop, models, leased }) => {
    for (const model of models) expect(model).toBeLessThan(leased);
    expect(timeoutOf(hop)).toBeLessThan(leased);
    expect(leased).toBeLessThan(visibilityOf(hop));
  });

  test("functions have the time-outs of the table", () => {
    const { functionTimeout } = timing(timeScale);
    expect({
      intake: timeoutOf("Intake"),
      describe: timeoutOf("Describe"),
      score: timeoutOf("Score"),
      settle: timeoutOf("Settle"),
      review: timeoutOf("Review"),
      learn: timeoutOf("Learn"),
      sweep: timeoutOf("Sweep"),
    }).toEqual(functionTimeout);
  });

  test("the sweep's rate is one that EventBridge knows", () => {
    const [rule] = app.ofType("AWS::Events::Rule");
    expect(rule?.properties.ScheduleExpression).toBe("rate(5 minutes)");
  });
});
