/** Decides whether a function's role allows what it does, as IAM would; a tap refuses what it does not. */
import type { ServiceCall, Tap } from "../tap.ts";
import type { Statement } from "./policy.ts";
import { type Permission, requiredPermissions } from "./required-permission.ts";

/** True when some statement allows the permission and none denies it. */
export function isAllowed(statements: readonly Statement[], { action, resource }: Permission): boolean {
  const matching = statements.filter(
    ({ actions, resources }) =>
      actions.some((pattern) => pattern.test(action)) && resources.some((pattern) => pattern.test(resource)),
  );
  return (
    matching.some(({ effect }) => effect === "Allow") && !matching.some(({ effect }) => effect === "Deny")
  );
}

/**
 * A tap that throws when the calling function's role lacks a permission. `statementsOf` gives the statements of a
 * caller, `undefined` for callers that are no function (the operator), who may do everything.
 */
export function permissionTap(
  statementsOf: (caller: string) => readonly Statement[] | undefined,
  region: string,
  account: string,
): Tap {
  return {
    before(call: ServiceCall) {
      const statements = statementsOf(call.caller);
      if (statements === undefined) return;
      for (const permission of requiredPermissions(call, region, account))
        if (!isAllowed(statements, permission))
          throw new Error(
            `function ${call.caller} is not authorized to perform ${permission.action} on ${permission.resource}: no identity policy of its role allows it`,
          );
    },
  };
}
