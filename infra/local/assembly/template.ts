/** The parts of a CloudFormation template that the embedded AWS understands; anything else fails the parse. */
import * as z from "zod";

const resourceSchema = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([]),
  Condition: z.string().optional(),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
  Metadata: z.unknown().optional(),
});

const parameterSchema = z.looseObject({
  Type: z.string(),
  Default: z.union([z.string(), z.number()]).optional(),
});

const outputSchema = z.strictObject({
  Value: z.unknown(),
  Description: z.string().optional(),
  Condition: z.string().optional(),
  Export: z.strictObject({ Name: z.unknown() }).optional(),
});

export const templateSchema = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.record(z.string(), parameterSchema).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  /** Deploy-time assertions (CDK's bootstrap check): nothing to assert without an account. */
  Rules: z.unknown().optional(),
  Resources: z.record(z.string(), resourceSchema).default({}),
  Outputs: z.record(z.string(), outputSchema).default({}),
});

export type Template = z.infer<typeof templateSchema>;
export type TemplateResource = z.infer<typeof resourceSchema>;
