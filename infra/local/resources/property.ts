/** Property schemas shared by resource types, with CloudFormation's tolerance for numbers and booleans as text. */
import * as z from "zod";

/** A property accepted and without effect here, such as encryption at rest. */
export const inert = z.unknown().optional();

export const integer = (minimum: number, maximum: number) =>
  z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().int().min(minimum).max(maximum));

export const boolean = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);

export const tags = inert;
