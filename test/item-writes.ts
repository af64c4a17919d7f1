/** What a DynamoDB call wrote, item by item, whether it was one write or several together. */
import type { ItemWrite, ServiceCall } from "../infra/local/tap.ts";

export const itemWrites = ({
  operation,
  resource,
  item,
  expression,
  writes,
}: ServiceCall): readonly ItemWrite[] => {
  if (writes) return writes;
  if (item === undefined || !/^(Put|Update)Item$/.test(operation)) return [];
  return [{ action: operation, table: resource, item, expression: expression ?? "" }];
};

/** A sample's lease, first or later, and its result, by the expressions that the sample store writes. */
export const isLease = ({ action, expression }: ItemWrite): boolean =>
  action === "PartiQLInsert" || expression.includes("SET #leaseToken");
export const isRecord = ({ expression }: ItemWrite): boolean => expression.startsWith("SET #result");
