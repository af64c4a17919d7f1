/** The notification configuration as S3's XML: queues only; other destinations are refused by name. */
import { randomUUID } from "node:crypto";
import {
  findOverlap,
  type NotificationRule,
  type ObjectCreatedEvent,
  objectCreatedEvent,
} from "./notification-rule.ts";
import { S3Error } from "./s3-error.ts";
import {
  childrenOf,
  parseXml,
  refuseUnknownChildren,
  requiredText,
  textOf,
  type XmlElement,
} from "./xml-read.ts";
import { element, leaf } from "./xml-write.ts";

const operation = "PutBucketNotificationConfiguration";

/** Parses and checks a configuration. Throws NotImplemented for what we cannot raise, InvalidArgument for overlaps. */
export function parseNotificationRules(body: string): NotificationRule[] {
  const root = parseXml(body, "NotificationConfiguration");
  refuseUnknownChildren(root, ["QueueConfiguration"], operation);
  const rules = childrenOf(root, "QueueConfiguration").map(parseRule);
  const overlap = findOverlap(rules);
  if (overlap !== undefined) {
    throw new S3Error(
      "InvalidArgument",
      `Configurations overlap. "${overlap[0].id}" and "${overlap[1].id}" could both claim one event on one key.`,
    );
  }
  return rules;
}

function parseRule(configuration: XmlElement): NotificationRule {
  refuseUnknownChildren(configuration, ["Id", "Queue", "Event", "Filter"], operation);
  const events = childrenOf(configuration, "Event").map((event) => parseEvent(event.text));
  if (events.length === 0) throw new S3Error("MalformedXML", "<QueueConfiguration> needs an <Event>.");
  const filters = filterValues(configuration);
  return {
    id: textOf(configuration, "Id") ?? randomUUID(),
    queueArn: requiredText(configuration, "Queue"),
    events,
    prefix: filters.get("prefix") ?? "",
    suffix: filters.get("suffix") ?? "",
  };
}

function parseEvent(name: string): ObjectCreatedEvent {
  const event = objectCreatedEvent(name);
  if (event === undefined)
    throw new S3Error("NotImplemented", `${operation}: the event ${name} is not implemented.`);
  return event;
}

function filterValues(configuration: XmlElement): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const filter of childrenOf(configuration, "Filter")) {
    refuseUnknownChildren(filter, ["S3Key"], operation);
    for (const rule of childrenOf(filter, "S3Key").flatMap((key) => childrenOf(key, "FilterRule"))) {
      const name = requiredText(rule, "Name").toLowerCase();
      if (name !== "prefix" && name !== "suffix") {
        throw new S3Error("InvalidArgument", `filter rule name must be either prefix or suffix, not ${name}`);
      }
      if (values.has(name)) {
        throw new S3Error("InvalidArgument", `Cannot specify more than one ${name} rule in a filter.`);
      }
      values.set(name, requiredText(rule, "Value"));
    }
  }
  return values;
}

/** The rules as children of `NotificationConfiguration`. */
export function notificationRulesXml(rules: readonly NotificationRule[]): string[] {
  return rules.map((rule) => {
    const filters = [filterXml("Prefix", rule.prefix), filterXml("Suffix", rule.suffix)].join("");
    return element(
      "QueueConfiguration",
      leaf("Id", rule.id),
      leaf("Queue", rule.queueArn),
      ...rule.events.map((event) => leaf("Event", event)),
      filters === "" ? "" : element("Filter", element("S3Key", filters)),
    );
  });
}

function filterXml(name: string, value: string): string {
  return value === "" ? "" : element("FilterRule", leaf("Name", name), leaf("Value", value));
}
