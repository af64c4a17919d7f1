/** The embedded metric format: recognises and checks the JSON lines that CloudWatch would turn into metrics. */
import * as z from "zod";

const metricSchema = z.looseObject({ Name: z.string().min(1).max(255), Unit: z.string().optional() });
const directiveSchema = z.looseObject({
  Namespace: z.string().min(1).max(255),
  Dimensions: z.array(z.array(z.string().min(1)).max(30)),
  Metrics: z.array(metricSchema).min(1).max(100, "CloudWatch drops a line with more than 100 metrics"),
});
const envelopeSchema = z.looseObject({
  _aws: z.looseObject({
    Timestamp: z.number().int().positive(),
    CloudWatchMetrics: z.array(directiveSchema).min(1),
  }),
});
const valuesSchema = z.union([
  z.number().transform((value) => [value]),
  z.array(z.number()).min(1).max(100, "CloudWatch drops a metric with more than 100 values"),
]);

export interface Datapoint {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

export type EmfLine =
  | { readonly kind: "not-emf" }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "metrics"; readonly datapoints: readonly Datapoint[] };

/** Reads one line of output. A line is EMF when it is a JSON object with `_aws`; a broken one says what is wrong. */
export function readEmf(line: string): EmfLine {
  // Most lines are ordinary logs: they should not pay for a parse.
  if (!line.startsWith("{") || !line.includes('"_aws"')) return { kind: "not-emf" };
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch {
    return { kind: "not-emf" };
  }
  const envelope = envelopeSchema.safeParse(content);
  if (!envelope.success) return { kind: "invalid", why: z.prettifyError(envelope.error) };
  const { _aws, ...members } = envelope.data;
  const datapoints: Datapoint[] = [];
  for (const { Namespace, Dimensions, Metrics } of _aws.CloudWatchMetrics) {
    for (const { Name } of Metrics) {
      const values = valuesSchema.safeParse(members[Name]);
      if (!values.success)
        return { kind: "invalid", why: `metric ${Name}: ${z.prettifyError(values.error)}` };
      for (const names of Dimensions.length === 0 ? [[]] : Dimensions) {
        const missing = names.find((name) => typeof members[name] !== "string");
        if (missing !== undefined)
          return { kind: "invalid", why: `dimension ${missing} has no text value in the line` };
        const dimensions = Object.fromEntries(names.map((name) => [name, String(members[name])]));
        datapoints.push({ namespace: Namespace, name: Name, dimensions, values: values.data });
      }
    }
  }
  return { kind: "metrics", datapoints };
}
