/** The environment variables of a function: only what its row of the access table gives it. Called by HopFunction. */
import { type HopName, hops, type QueueName } from "@touchstone/core/pipeline";
import type { EnvironmentName } from "../../functions/_aws/env.ts";
import type { Config } from "../config.ts";
import { access, type ModelName, type TableName } from "./access.ts";
import type { Resources } from "./resources.ts";

/** Keys and the second look are optional for a handler, so they are not among the names it must find. */
type Variables = Partial<
  Record<EnvironmentName | "JUDGE_API_KEY" | "CAPTIONER_API_KEY" | "TEXT_READER_URL", string>
>;

const tableVariables = {
  ledger: "LEDGER_TABLE",
  samples: "SAMPLES_TABLE",
  reviews: "REVIEWS_TABLE",
  tasks: "TASKS_TABLE",
  gists: "GISTS_TABLE",
} as const satisfies Record<TableName, EnvironmentName>;

const queueVariables = {
  uploads: "UPLOADS_QUEUE_URL",
  describe: "DESCRIBE_QUEUE_URL",
  score: "SCORE_QUEUE_URL",
  settle: "SETTLE_QUEUE_URL",
  review: "REVIEW_QUEUE_URL",
  learn: "LEARN_QUEUE_URL",
} as const satisfies Record<QueueName, EnvironmentName>;

/** Left to itself, V8 lets short-lived objects of a large file pile up to 190 MB before it looks at them. */
export const nodeOptions = "--enable-source-maps --max-semi-space-size=8";

/** Names and values; Lambda, Powertools and Node read the last three. */
export const environmentOf = (hop: HopName, config: Config, resources: Resources): Record<string, string> => {
  const { uploads, results, tables, models, fetches } = access[hop];
  const variables: Variables = {
    ...(uploads.read.length > 0 && { UPLOADS_BUCKET: resources.uploads.bucket.bucketName }),
    ...(results.write.length > 0 && {
      RESULTS_BUCKET: resources.results.bucket.bucketName,
    }),
    ...(fetches && {
      MEDIA_HOSTS: config.mediaHosts.join(","),
      MEDIA_BUCKETS: config.mediaBuckets.join(","),
    }),
    TIME_SCALE: String(config.timeScale),
  };
  for (const [name, variable] of entriesOf(tableVariables))
    if (tables[name] !== undefined) variables[variable] = resources.tables[name].table.tableName;
  for (const queue of hops[hop].sends)
    variables[queueVariables[queue]] = resources.queues[queue].queue.queueUrl;
  for (const model of models) Object.assign(variables, modelVariables(model, config, resources));
  return {
    ...variables,
    POWERTOOLS_SERVICE_NAME: hop,
    POWERTOOLS_METRICS_NAMESPACE: "Touchstone",
    NODE_OPTIONS: nodeOptions,
  };
};

const modelVariables = (
  model: ModelName,
  { judge, captioner, textReaderUrl }: Config,
  { strategyEndpoint, apiKeys }: Resources,
): Variables => {
  switch (model) {
    case "strategy":
      return { STRATEGY_ENDPOINT: strategyEndpoint.name, STRATEGY_VERSION: strategyEndpoint.version };
    case "captioner":
      return {
        CAPTIONER_URL: captioner.url,
        CAPTIONER_MODEL: captioner.model,
        CAPTIONER_API_KEY: apiKeys.captioner,
        TEXT_READER_URL: textReaderUrl ?? "",
      };
    case "judge":
      return { JUDGE_URL: judge.url, JUDGE_MODEL: judge.model, JUDGE_API_KEY: apiKeys.judge };
    default:
      return model satisfies never;
  }
};

const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][];
