/** The models we host ourselves. Judge and captioner are addresses in the configuration, not resources. */
import { Stack, type StackProps } from "aws-cdk-lib";
import { DockerImageAsset, Platform } from "aws-cdk-lib/aws-ecr-assets";
import type { Construct } from "constructs";
import type { Config } from "../config.ts";
import { ModelEndpoint } from "../constructs/model-endpoint.ts";

export interface EndpointsStackProps extends StackProps {
  readonly config: Config;
  /** Directory with the Dockerfile of the image strategy; built when the stack is deployed, not before. */
  readonly strategyImage: string;
}

export class EndpointsStack extends Stack {
  readonly strategy: ModelEndpoint;

  constructor(scope: Construct, id: string, { config, strategyImage, ...props }: EndpointsStackProps) {
    super(scope, id, props);
    this.strategy = new ModelEndpoint(this, "Strategy", {
      // The instance types below are x86, whatever machine builds the image.
      image: new DockerImageAsset(this, "StrategyImage", {
        directory: strategyImage,
        platform: Platform.LINUX_AMD64,
      }),
      ...config.strategyEndpoint,
    });
  }
}
