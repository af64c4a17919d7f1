/** What differs between deployments, in plain values. Read by infra/app.ts and infra/synth.ts. */
import { readMediaHosts } from "@touchstone/core/domain/describe/media-url";
import * as z from "zod";

export const stageNames = ["dev", "prod"] as const;
export type StageName = (typeof stageNames)[number];

/** `arm64`: what is deployed; `host`: native parts and functions for this machine, for the embedded AWS. */
export const nativeChoices = ["arm64", "host"] as const;
export type NativeChoice = (typeof nativeChoices)[number];

/** A server that speaks the OpenAI chat protocol. */
export interface ChatEndpoint {
  /** `https://…` up to and including `/v1`, or `sagemaker:<endpoint>`; `stream+` before it streams the answers. */
  readonly url: string;
  readonly model: string;
}

export interface Config {
  readonly stage: StageName;
  /** Absent: the region of the caller's AWS profile. */
  readonly region?: string;
  /** Keep buckets and tables, and refuse to delete them, when a stack goes. */
  readonly keepData: boolean;
  readonly pointInTimeRecovery: boolean;
  readonly retention: {
    readonly logDays: 14 | 180;
    /** SQS counts from the first send, also in the DLQ: a work queue forgets before its DLQ (14 days) does. */
    readonly workQueueDays: number;
    /** Longer than SWEEP's 12 days between hints, so that an open review always has one. */
    readonly reviewQueueDays: number;
    /** Samples too large to travel lie in `staging/` as long as a review of them may be open. */
    readonly stagingDays: number;
    /** Batches and reviews read the template version that was pinned when they began. */
    readonly noncurrentVersionDays: number;
  };
  /** Most invocations of a hop at a time. */
  readonly concurrency: {
    readonly intake: number;
    readonly describe: number;
    readonly score: number;
    readonly settle: number;
    readonly learn: number;
  };
  readonly judge: ChatEndpoint;
  readonly captioner: ChatEndpoint;
  /** An OpenAI-compatible reader of text that gists are held against, such as our own captioner; absent: they are not. */
  readonly textReaderUrl?: string;
  /** Hosts from which pictures are fetched by `https` URL; none: only what lies in the uploads bucket. */
  readonly mediaHosts: readonly string[];
  /** Buckets beside the uploads bucket from which pictures are read by `s3://` URI; DESCRIBE may read all of them. */
  readonly mediaBuckets: readonly string[];
  readonly strategyEndpoint: { readonly instanceType: string; readonly instances: number };
  /** SNS topic that alarms go to; absent: they only show on the dashboard. */
  readonly alarmTopicArn?: string;
  /** Divides every duration; 1 in every deployment, more where a test lets hours pass in seconds. */
  readonly timeScale: number;
  readonly native: NativeChoice;
}

const dev: Config = {
  stage: "dev",
  keepData: false,
  pointInTimeRecovery: false,
  retention: {
    logDays: 14,
    workQueueDays: 7,
    reviewQueueDays: 13,
    stagingDays: 14,
    noncurrentVersionDays: 100,
  },
  concurrency: { intake: 5, describe: 5, score: 5, settle: 2, learn: 2 },
  judge: { url: "https://judge.touchstone.internal/v1", model: "judge" },
  captioner: { url: "https://captioner.touchstone.internal/v1", model: "captioner" },
  mediaHosts: [],
  mediaBuckets: [],
  strategyEndpoint: { instanceType: "ml.c6i.large", instances: 1 },
  timeScale: 1,
  native: "arm64",
};

const prod: Config = {
  ...dev,
  stage: "prod",
  keepData: true,
  pointInTimeRecovery: true,
  retention: { ...dev.retention, logDays: 180, stagingDays: 100 },
  concurrency: { intake: 5, describe: 20, score: 20, settle: 5, learn: 2 },
  strategyEndpoint: { instanceType: "ml.c6i.large", instances: 2 },
};

export const configs = { dev, prod } as const satisfies Record<StageName, Config>;

const modelUrl = z
  .string()
  .regex(/^(stream\+)?(https?:\/\/|sagemaker:)[^\s]+$/, 'must be "https://…/v1" or "sagemaker:<endpoint>"')
  .transform((text) => text.replace(/\/+$/, ""));

/** The CDK context keys we read (`-c name=value`); the command line of infra/synth.ts gives the same. */
const overridesSchema = z.looseObject({
  stage: z.enum(stageNames).default("dev"),
  native: z.enum(nativeChoices).optional(),
  timeScale: z.coerce.number().min(1).optional(),
  region: z.string().min(1).optional(),
  judgeUrl: modelUrl.optional(),
  judgeModel: z.string().min(1).optional(),
  captionerUrl: modelUrl.optional(),
  captionerModel: z.string().min(1).optional(),
  textReaderUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Comma-separated. */
  mediaHosts: z.string().optional(),
  /** Comma-separated. A name becomes part of a permission, where a wildcard would open every bucket. */
  mediaBuckets: z
    .string()
    .regex(/^[a-z0-9.,\s-]*$/, "bucket names have lower-case letters, digits, dots and hyphens")
    .optional(),
  alarmTopicArn: z.string().startsWith("arn:").optional(),
});

/**
 * The configuration of a stage with what `context` overrides; other keys of `context` are ignored.
 * Throws an error that names the key and what it may be.
 */
export const configFrom = (context: Readonly<Record<string, unknown>>): Config => {
  const parsed = overridesSchema.safeParse(context);
  if (!parsed.success) throw new Error(`configuration: ${z.prettifyError(parsed.error)}`);
  const given = parsed.data;
  const base: Config = configs[given.stage];
  const config: Config = {
    ...base,
    ...(given.region !== undefined && { region: given.region }),
    ...(given.alarmTopicArn !== undefined && { alarmTopicArn: given.alarmTopicArn }),
    judge: { url: given.judgeUrl ?? base.judge.url, model: given.judgeModel ?? base.judge.model },
    captioner: {
      url: given.captionerUrl ?? base.captioner.url,
      model: given.captionerModel ?? base.captioner.model,
    },
    ...(given.textReaderUrl === undefined ? {} : { textReaderUrl: given.textReaderUrl.replace(/\/+$/, "") }),
    mediaHosts: given.mediaHosts === undefined ? base.mediaHosts : splitList(given.mediaHosts),
    mediaBuckets: given.mediaBuckets === undefined ? base.mediaBuckets : splitList(given.mediaBuckets),
    timeScale: given.timeScale ?? base.timeScale,
    native: given.native ?? base.native,
  };
  // Throws on what is no host, by name: the function would only say so at its first start.
  readMediaHosts(config.mediaHosts.join(","));
  if (config.stage === "prod" && config.timeScale !== 1)
    throw new Error("configuration: timeScale must be 1 in prod; use stage dev to let time pass faster");
  return config;
};

const splitList = (text: string): readonly string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
