/** AWS::Lambda::Permission: lets a service (API Gateway, EventBridge) invoke a function. */
import * as z from "zod";
import { findFunction } from "./find-function.ts";
import { inert } from "./property.ts";
import { defineResource } from "./resource.ts";

export const lambdaPermission = defineResource({
  type: "AWS::Lambda::Permission",
  properties: z.strictObject({
    Action: z.literal("lambda:InvokeFunction"),
    FunctionName: z.string(),
    Principal: z.string(),
    SourceArn: inert,
    SourceAccount: inert,
  }),
  create({ Action, FunctionName, Principal }, { world, place }) {
    const { arn } = findFunction(world, FunctionName, place);
    world.grants.push({ principal: Principal, action: Action, target: arn });
    return { ref: place.logicalId, attributes: { Id: place.logicalId } };
  },
});
