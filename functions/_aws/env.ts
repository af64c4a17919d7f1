/** The names of the functions' environment variables: infra sets them, handlers read them, nobody spells them twice. */
import { permanent } from "@touchstone/core/errors";

export const environmentNames = [
  "UPLOADS_BUCKET",
  "RESULTS_BUCKET",
  "LEDGER_TABLE",
  "SAMPLES_TABLE",
  "REVIEWS_TABLE",
  "TASKS_TABLE",
  "GISTS_TABLE",
  "UPLOADS_QUEUE_URL",
  "DESCRIBE_QUEUE_URL",
  "SCORE_QUEUE_URL",
  "SETTLE_QUEUE_URL",
  "REVIEW_QUEUE_URL",
  "LEARN_QUEUE_URL",
  "STRATEGY_ENDPOINT",
  "STRATEGY_VERSION",
  "JUDGE_URL",
  "JUDGE_MODEL",
  "CAPTIONER_URL",
  "CAPTIONER_MODEL",
  "MEDIA_HOSTS",
  "MEDIA_BUCKETS",
  "TIME_SCALE",
] as const;
export type EnvironmentName = (typeof environmentNames)[number];

/** The variables a handler needs; one that is missing fails the cold start, by name. */
export const readEnvironment = <Name extends EnvironmentName>(
  ...names: readonly Name[]
): Record<Name, string> => {
  const missing = names.filter((name) => process.env[name] === undefined);
  if (missing.length > 0) {
    throw permanent("bad-message", `environment variables are not set: ${missing.join(", ")}`);
  }
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""])) as Record<Name, string>;
};

/** `TIME_SCALE` as a number; 1 in every deployment. */
export const timeScale = (): number => {
  const scale = Number(process.env.TIME_SCALE ?? "1");
  return Number.isFinite(scale) && scale >= 1 ? scale : 1;
};
