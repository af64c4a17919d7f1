/** Which queue hears of which new objects; pure. Kept in the bucket's settings. */
import type { JsonRecord } from "./json-file.ts";

export const objectCreatedEvents = [
  "s3:ObjectCreated:*",
  "s3:ObjectCreated:Put",
  "s3:ObjectCreated:Copy",
  "s3:ObjectCreated:CompleteMultipartUpload",
] as const;
export type ObjectCreatedEvent = (typeof objectCreatedEvents)[number];

export interface NotificationRule {
  readonly id: string;
  readonly queueArn: string;
  readonly events: readonly ObjectCreatedEvent[];
  /** Empty when the rule has no such filter. */
  readonly prefix: string;
  readonly suffix: string;
}

/** The event of that name, if it is one we can raise. */
export function objectCreatedEvent(name: string): ObjectCreatedEvent | undefined {
  return objectCreatedEvents.find((event) => event === name);
}

/** Reads a rule back from the settings file. */
export function readNotificationRule(record: JsonRecord): NotificationRule {
  return {
    id: record.text("id"),
    queueArn: record.text("queueArn"),
    events: objectCreatedEvents.filter((event) => record.list("events").includes(event)),
    prefix: record.text("prefix"),
    suffix: record.text("suffix"),
  };
}

/** Whether an event on a key concerns a rule. */
export function ruleApplies(rule: NotificationRule, event: ObjectCreatedEvent, key: string): boolean {
  return (
    (rule.events.includes(event) || rule.events.includes("s3:ObjectCreated:*")) &&
    key.startsWith(rule.prefix) &&
    key.endsWith(rule.suffix)
  );
}

/** Two rules that could both claim one event on one key; S3 refuses such a configuration. */
export function findOverlap(
  rules: readonly NotificationRule[],
): readonly [NotificationRule, NotificationRule] | undefined {
  for (const [index, rule] of rules.entries()) {
    const other = rules.slice(index + 1).find((candidate) => overlaps(rule, candidate));
    if (other !== undefined) return [rule, other];
  }
  return undefined;
}

function overlaps(a: NotificationRule, b: NotificationRule): boolean {
  const every = "s3:ObjectCreated:*";
  const shareEvent =
    a.events.includes(every) ||
    b.events.includes(every) ||
    a.events.some((event) => b.events.includes(event));
  const sharePrefix = a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
  const shareSuffix = a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix);
  return shareEvent && sharePrefix && shareSuffix;
}
