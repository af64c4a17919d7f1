/** Reads IAM policy documents of the template into statements that can be matched. Used when roles are created. */
import * as z from "zod";

const oneOrMany = z.union([z.string().transform((item) => [item]), z.array(z.string())]);

const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(["Allow", "Deny"]),
  Action: oneOrMany,
  Resource: oneOrMany,
  Condition: z.unknown().optional(),
});

export const policyDocumentSchema = z.strictObject({
  Version: z.string().optional(),
  Statement: z.union([statementSchema.transform((only) => [only]), z.array(statementSchema)]),
});

export interface Statement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly RegExp[];
  readonly resources: readonly RegExp[];
}

/** Services whose calls are checked; statements about others (logs, X-Ray, …) can neither allow nor deny one. */
const checkedServices = ["s3", "sqs", "dynamodb", "sagemaker", "execute-api"];

/** Statements of an identity policy. Throws on a condition that would have to be evaluated for a checked service. */
export function readStatements(document: z.output<typeof policyDocumentSchema>): Statement[] {
  return document.Statement.filter(({ Action }) => Action.some(isChecked)).map((statement) => {
    if (statement.Condition !== undefined)
      throw new Error(
        `the condition of the statement on ${statement.Action.join(", ")} is not simulated: scope the statement by resource instead`,
      );
    return {
      effect: statement.Effect,
      actions: statement.Action.map((action) => wildcard(action, "i")),
      resources: statement.Resource.map((resource) => wildcard(resource, "")),
    };
  });
}

function isChecked(action: string): boolean {
  const [service = ""] = action.split(":");
  return service.includes("*") || checkedServices.includes(service);
}

/** IAM's wildcards: `*` for any run of characters, `?` for one. */
export function wildcard(pattern: string, flags: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, `${flags}s`);
}
