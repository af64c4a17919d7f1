/** What a message is about, in identifiers alone: nothing of a sample's text is ever shown. Pure. */
import { announcements } from "@touchstone/core/domain/intake/arrival";
import { type QueueName, queueSchemas } from "@touchstone/core/pipeline";
import { formatSampleKey, type SampleKey } from "@touchstone/core/schema/identity";

/** Null where the body is no message that this version puts on the queue. */
export const messageSubject = (queue: QueueName, body: string): string | null => {
  const value = parsed(body);
  switch (queue) {
    case "uploads": {
      const message = queueSchemas.uploads.safeParse(value).data;
      const about = message ? announcements(message, 0).flatMap(announced) : [];
      return about.length === 0 ? null : about.join(", ");
    }
    case "describe":
    case "score": {
      const message = queueSchemas[queue].safeParse(value).data;
      return message ? `${message.sampleId}  ${formatSampleKey(message.key)}` : null;
    }
    case "settle": {
      const message = queueSchemas.settle.safeParse(value).data;
      if (!message) return null;
      if (message.kind === "check") return `check  ${message.batch}#${message.run}`;
      return message.kind === "outcomes"
        ? `outcomes  ${samplesBySplit(message.outcomes.map(({ key }) => key))}`
        : `${message.kind}  ${formatSampleKey(message.key)}`;
    }
    case "learn": {
      const message = queueSchemas.learn.safeParse(value).data;
      if (!message) return null;
      return message.kind === "traffic"
        ? `traffic  ${message.batch}#${message.run}#${message.split}`
        : `${message.review} verdict  ${formatSampleKey(message.key)}`;
    }
    case "review": {
      const message = queueSchemas.review.safeParse(value).data;
      return message ? `${message.sampleId}  ${message.reviewId}` : null;
    }
    default:
      return queue satisfies never;
  }
};

/** `<batch>#<run>#<split>#0,1,5`, split by split. */
const samplesBySplit = (keys: readonly SampleKey[]): string =>
  [...Map.groupBy(keys, ({ batch, run, split }) => `${batch}#${run}#${split}`)]
    .map(([split, own]) => `${split}#${own.map(({ ordinal }) => ordinal).join(",")}`)
    .join(", ");

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const announced = (one: ReturnType<typeof announcements>[number]): readonly string[] => {
  switch (one.kind) {
    case "batch":
      return [one.batch.batch];
    case "replay":
      return [`replay  ${one.request.batch}#${one.request.run}`];
    case "passed-over":
      return [one.why];
    case "unreadable":
      return [one.message];
    default:
      return one satisfies never;
  }
};
