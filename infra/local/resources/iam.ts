/** AWS::IAM::Role and AWS::IAM::Policy: the identity policies that are checked when functions call services. */
import * as z from "zod";
import { policyDocumentSchema, readStatements } from "../iam/policy.ts";
import { NotSimulatedError } from "../not-simulated.ts";
import { inert, tags } from "./property.ts";
import { defineResource, type ResourceContext } from "./resource.ts";

/** Managed policies that allow nothing the embedded services check. */
const harmlessManagedPolicies = ["AWSLambdaBasicExecutionRole", "AWSXRayDaemonWriteAccess"];

export const iamRole = defineResource({
  type: "AWS::IAM::Role",
  properties: z.strictObject({
    RoleName: z.string().optional(),
    Description: inert,
    AssumeRolePolicyDocument: z.unknown(),
    ManagedPolicyArns: z
      .array(
        z.string().refine((policy) => harmlessManagedPolicies.some((name) => policy.endsWith(`/${name}`)), {
          error: `of the managed policies only ${harmlessManagedPolicies.join(" and ")} are known`,
        }),
      )
      .default([]),
    Policies: z
      .array(z.strictObject({ PolicyName: z.string(), PolicyDocument: policyDocumentSchema }))
      .default([]),
    MaxSessionDuration: inert,
    Tags: tags,
  }),
  create({ RoleName, Policies }, context) {
    const { world, generatedName } = context;
    const name = RoleName ?? generatedName.slice(0, 64);
    const arn = `arn:aws:iam::${world.account}:role/${name}`;
    const statements = Policies.flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument, context));
    world.roles.set(arn, { arn, name, statements });
    return { ref: name, attributes: { Arn: arn, RoleId: `AROA${name}` } };
  },
});

export const iamPolicy = defineResource({
  type: "AWS::IAM::Policy",
  properties: z.strictObject({
    PolicyName: z.string(),
    PolicyDocument: policyDocumentSchema,
    Roles: z.array(z.string()),
  }),
  create({ PolicyName, PolicyDocument, Roles }, context) {
    const statements = statementsOf(PolicyDocument, context);
    for (const role of context.world.roles.values())
      if (Roles.includes(role.name)) role.statements.push(...statements);
    return { ref: PolicyName, attributes: {} };
  },
});

function statementsOf(document: z.output<typeof policyDocumentSchema>, { place }: ResourceContext) {
  try {
    return readStatements(document);
  } catch (error) {
    throw new NotSimulatedError(place, error instanceof Error ? error.message : String(error), "");
  }
}
