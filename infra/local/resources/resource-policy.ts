/** AWS::S3::BucketPolicy and AWS::SQS::QueuePolicy: their grants to AWS services are kept; who else may call is IAM's. */
import * as z from "zod";
import { wildcard } from "../iam/policy.ts";
import { defineResource } from "./resource.ts";

const oneOrMany = z.union([z.string().transform((item) => [item]), z.array(z.string())]);

/** Conditions (secure transport, source ARN) are not evaluated: no other account can reach the embedded services. */
const policyDocument = z.strictObject({
  Version: z.string().optional(),
  Statement: z.array(
    z.strictObject({
      Sid: z.string().optional(),
      Effect: z.enum(["Allow", "Deny"]),
      Principal: z.union([z.string(), z.record(z.string(), oneOrMany)]),
      Action: oneOrMany,
      Resource: oneOrMany,
      Condition: z.unknown().optional(),
    }),
  ),
});

type Statement = z.output<typeof policyDocument>["Statement"][number];

export const bucketPolicy = defineResource({
  type: "AWS::S3::BucketPolicy",
  properties: z.strictObject({ Bucket: z.string(), PolicyDocument: policyDocument }),
  create: ({ Bucket }) => ({ ref: `${Bucket}-policy`, attributes: {} }),
});

export const queuePolicy = defineResource({
  type: "AWS::SQS::QueuePolicy",
  properties: z.strictObject({ Queues: z.array(z.string()), PolicyDocument: policyDocument }),
  create({ PolicyDocument }, { world, place }) {
    for (const statement of PolicyDocument.Statement)
      for (const principal of servicePrincipals(statement))
        for (const target of statement.Resource)
          if (statement.Action.some((action) => wildcard(action, "i").test("sqs:SendMessage")))
            world.grants.push({ principal, action: "sqs:SendMessage", target });
    return { ref: place.logicalId, attributes: { Id: place.logicalId } };
  },
});

function servicePrincipals({ Effect, Principal }: Statement): readonly string[] {
  return Effect === "Allow" && typeof Principal !== "string" ? (Principal.Service ?? []) : [];
}
