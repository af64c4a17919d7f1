/** AWS::Events::Rule: schedules with a fixed rate that invoke functions. */
import * as z from "zod";
import { ratePeriodMs } from "../lambda/schedule.ts";
import { NotSimulatedError } from "../not-simulated.ts";
import { findFunction } from "./find-function.ts";
import { inert, tags } from "./property.ts";
import { arn, defineResource } from "./resource.ts";

export const eventsRule = defineResource({
  type: "AWS::Events::Rule",
  properties: z.strictObject({
    Name: z.string().optional(),
    Description: inert,
    ScheduleExpression: z.string(),
    State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
    Targets: z.array(
      z.strictObject({ Arn: z.string(), Id: z.string(), Input: z.string().optional(), RetryPolicy: inert }),
    ),
    Tags: tags,
  }),
  create({ Name, ScheduleExpression, State, Targets }, { world, place, generatedName }) {
    const name = Name ?? generatedName.slice(0, 64);
    const ruleArn = arn(world, "events", `rule/${name}`);
    const period = ratePeriodMs(ScheduleExpression);
    if (period === undefined)
      throw new NotSimulatedError(
        place,
        `schedule ${ScheduleExpression} is not simulated.`,
        "Use rate(...).",
      );
    for (const { Arn, Input } of Targets) {
      const target = findFunction(world, Arn, place);
      world.neededGrants.push({
        place,
        principal: "events.amazonaws.com",
        action: "lambda:InvokeFunction",
        target: target.arn,
      });
      if (State === "ENABLED")
        world.schedules.push({
          ruleArn,
          periodMs: period / world.timeScale,
          region: world.region,
          input: Input,
          invoke: (payload) => void target.pool.invoke(payload),
        });
    }
    return { ref: name, attributes: { Arn: ruleArn } };
  },
});
