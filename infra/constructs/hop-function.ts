/** One function of the pipeline: bundle, layers, role, log group, environment. Used by Stage and the pipeline stack. */
import type { HopName } from "@touchstone/core/pipeline";
import { timing } from "@touchstone/core/timing";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  type Architecture,
  Code,
  Function as LambdaFunction,
  type LayerVersion,
  RecursiveLoop,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Config } from "../config.ts";
import { environmentOf } from "./environment.ts";
import { grantAccess } from "./grants.ts";
import type { Resources } from "./resources.ts";

/** What every function of a deployment shares. */
export interface HopContext {
  readonly config: Config;
  readonly resources: Resources;
  readonly architecture: Architecture;
  readonly layers: { readonly core: LayerVersion; readonly media: LayerVersion };
  /** Directory of a hop's bundle. */
  readonly bundleOf: (hop: HopName) => string;
}

export interface HopFunctionProps {
  readonly hop: HopName;
  readonly description: string;
  readonly memoryMb: number;
  /** Loads sharp, and ffmpeg where a video comes. */
  readonly pictures?: boolean;
  /** Sends to the very queue it reads, to wait; Lambda would otherwise stop it after about 16 turns. */
  readonly feedsItself?: boolean;
}

export class HopFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, context: HopContext, props: HopFunctionProps) {
    super(scope, id);
    const { config, resources, layers } = context;
    const { hop } = props;
    const logGroup = new LogGroup(this, "Logs", {
      // A number of days is a valid value of the enum, which has no name for a number from a configuration.
      retention: config.retention.logDays as RetentionDays,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // A role of our own: the one CDK makes may write to every log group of the account.
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);
    grantAccess(role, hop, config, resources);
    this.function = new LambdaFunction(this, "Function", {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: context.architecture,
      handler: "index.handler",
      code: Code.fromAsset(context.bundleOf(hop)),
      layers: props.pictures ? [layers.core, layers.media] : [layers.core],
      memorySize: props.memoryMb,
      timeout: Duration.seconds(timing(config.timeScale).functionTimeout[hop]),
      environment: environmentOf(hop, config, resources),
      role,
      logGroup,
      ...(props.feedsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
    });
  }
}
