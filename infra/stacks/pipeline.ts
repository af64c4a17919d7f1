/** The flow, hop by hop, in the order in which a sample meets them. Start reading the infrastructure here. */
import { timing, visibilityFactor } from "@touchstone/core/timing";
import { CfnOutput, CfnParameter, Duration, Stack, type StackProps } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Architecture } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { BuiltLayers } from "../../layers/build.ts";
import type { Config } from "../config.ts";
import { type HopContext, HopFunction } from "../constructs/hop-function.ts";
import { Layers } from "../constructs/layers.ts";
import type { Resources } from "../constructs/resources.ts";
import { ReviewApi } from "../constructs/review-api.ts";
import { RunbookAlarm } from "../constructs/runbook-alarm.ts";
import { Stage } from "../constructs/stage.ts";
import { WorkQueue } from "../constructs/work-queue.ts";
import type { EndpointsStack } from "./endpoints.ts";
import type { StorageStack } from "./storage.ts";

export interface PipelineStackProps extends StackProps {
  readonly config: Config;
  readonly storage: StorageStack;
  readonly endpoints: EndpointsStack;
  readonly parts: {
    readonly bundleOf: HopContext["bundleOf"];
    readonly layers: BuiltLayers;
    readonly nativeCpu: string;
  };
}

export class PipelineStack extends Stack {
  readonly queues: Resources["queues"];
  readonly hops: readonly HopFunction[];

  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, props);
    const { config, storage, parts } = props;
    this.queues = this.#queues(config, storage.uploadsQueue);
    const architecture = parts.nativeCpu === "arm64" ? Architecture.ARM_64 : Architecture.X86_64;
    const context: HopContext = {
      config,
      resources: {
        uploads: storage.uploads,
        results: storage.results,
        tables: storage.tables,
        queues: this.queues,
        apiKeys: { judge: this.#apiKey("Judge"), captioner: this.#apiKey("Captioner") },
        strategyEndpoint: props.endpoints.strategy,
      },
      architecture,
      layers: new Layers(this, "Layers", parts.layers, architecture),
      bundleOf: parts.bundleOf,
    };

    const intake = new Stage(this, "Intake", context, {
      hop: "intake",
      description: "Cuts a batch file into samples, checks and routes each",
      memoryMb: 1024,
      batchSize: 1,
      windowSeconds: 0,
    });
    const describe = new Stage(this, "Describe", context, {
      hop: "describe",
      description: "Describes the pictures of a sample",
      memoryMb: 1024,
      pictures: true,
      feedsItself: true,
      batchSize: 10,
      windowSeconds: 0,
    });
    const score = new Stage(this, "Score", context, {
      hop: "score",
      description: "Asks the judge and decides",
      memoryMb: 512,
      feedsItself: true,
      batchSize: 25,
      windowSeconds: scoreWindow,
    });
    const settle = new Stage(this, "Settle", context, {
      hop: "settle",
      description: "Keeps the ledger, opens reviews, writes results",
      memoryMb: 512,
      // A message of SCORE's has up to 25 outcomes, and the last ones of a batch should not wait for others.
      batchSize: 10,
      windowSeconds: 0,
    });
    const review = new HopFunction(this, "Review", context, {
      hop: "review",
      description: "Lets people claim reviews and answer them",
      memoryMb: 512,
    });
    const learn = new Stage(this, "Learn", context, {
      hop: "learn",
      description: "Watches certificates over verdicts and traffic",
      memoryMb: 512,
      batchSize: 10,
      windowSeconds: 0,
    });
    const sweeper = new HopFunction(this, "Sweep", context, {
      hop: "sweep",
      description: "Finds what went quiet and sends it again",
      memoryMb: 512,
    });
    this.hops = [intake, describe, score, settle, review, learn, sweeper];

    new Rule(this, "SweepSchedule", {
      description: "Wakes SWEEP",
      // Never divided by the time scale: EventBridge knows no period below one minute.
      schedule: Schedule.rate(Duration.seconds(timing().sweep.period)),
      targets: [new LambdaFunction(sweeper.function)],
    });
    const api = new ReviewApi(this, "ReviewApi", review.function, config);
    // The others fail into their queues, whose alarms tell; these two have none.
    for (const hop of [review, sweeper]) this.#errorAlarm(hop, config);

    new RunbookAlarm(this, "CertificatesVoided", {
      metric: new Metric({
        ...{ namespace: "Touchstone", metricName: "CertificatesVoided", statistic: "Sum" },
        period: Duration.minutes(15),
      }),
      above: 0,
      what: "A certificate is void: its tasks' samples follow the policy for uncertified ones.",
      article: "a-certificate-is-void",
      topicArn: config.alarmTopicArn,
    });

    new CfnOutput(this, "ReviewApiUrl", { value: api.url });
    new CfnOutput(this, "StrategyEndpoint", { value: props.endpoints.strategy.name });
  }

  /** Given when the stack is deployed, so that no key lies in a template or in the configuration. */
  #apiKey(server: string): string {
    return new CfnParameter(this, `${server}ApiKey`, {
      description: `Bearer token that the ${server.toLowerCase()}'s server asks for; empty if none`,
      noEcho: true,
      default: "",
    }).valueAsString;
  }

  #queues(config: Config, uploads: WorkQueue): Resources["queues"] {
    const { functionTimeout } = timing(config.timeScale);
    const workQueue = (name: string, timeout: number, window: number): WorkQueue =>
      new WorkQueue(this, {
        name,
        visibility: Duration.seconds(visibilityFactor * timeout + window),
        retention: Duration.days(config.retention.workQueueDays),
        alarmAge: Duration.hours(1),
        alarmTopicArn: config.alarmTopicArn,
      });
    return {
      uploads,
      describe: workQueue("Describe", functionTimeout.describe, 0),
      score: workQueue("Score", functionTimeout.score, scoreWindow),
      settle: workQueue("Settle", functionTimeout.settle, 0),
      learn: workQueue("Learn", functionTimeout.learn, 0),
      // People pull this one, with tools of their own: enough time to claim the task a hint names.
      review: new WorkQueue(this, {
        name: "Review",
        visibility: Duration.minutes(5),
        retention: Duration.days(config.retention.reviewQueueDays),
        alarmAge: Duration.hours(72),
        alarmTopicArn: config.alarmTopicArn,
      }),
    };
  }

  #errorAlarm({ node, function: lambda }: HopFunction, config: Config): void {
    new RunbookAlarm(this, `${node.id}Errors`, {
      metric: lambda.metricErrors({ period: Duration.minutes(15) }),
      above: 2,
      what: `${node.id}: the function failed more than twice in a quarter of an hour.`,
      article: "a-function-fails",
      topicArn: config.alarmTopicArn,
    });
  }
}

/** Seconds in which SCORE's batches are collected. */
const scoreWindow = 1;
