/** Accepts a finding of cdk-nag, with a date and a reason. Called wherever a construct departs from a rule on purpose. */
import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** `2026-11-29`. */
type IsoDate = `${number}-${number}-${number}`;

/**
 * Accepts the finding `rule` (such as `AwsSolutions-S1`, or `AwsSolutions-IAM5[Resource::*]`) below `scope`.
 * The date says when the reason was last thought through.
 */
export const acknowledge = (scope: IConstruct, rule: string, date: IsoDate, reason: string): void => {
  Validations.of(scope).acknowledge({ id: rule, reason: `${date}: ${reason}` });
};
