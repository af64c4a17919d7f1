/** The HTTP API in front of REVIEW: every route is signed with IAM credentials. */
import { RemovalPolicy } from "aws-cdk-lib";
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpIamAuthorizer } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Config } from "../config.ts";

export const reviewRoutes = [
  [HttpMethod.POST, "/v1/reviews/claim"],
  [HttpMethod.POST, "/v1/reviews/heartbeat"],
  [HttpMethod.POST, "/v1/reviews/release"],
  [HttpMethod.POST, "/v1/reviews/verdict"],
  [HttpMethod.GET, "/v1/reviews"],
  [HttpMethod.GET, "/v1/reviews/{id}"],
] as const;

export class ReviewApi extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, handler: IFunction, config: Config) {
    super(scope, id);
    const api = new HttpApi(this, "Http", {
      apiName: `touchstone-${config.stage}-review`,
      description: "Claim review tasks and answer them",
      createDefaultStage: false,
      defaultAuthorizer: new HttpIamAuthorizer(),
    });
    const integration = new HttpLambdaIntegration("Review", handler);
    for (const [method, path] of reviewRoutes) api.addRoutes({ path, methods: [method], integration });
    const accessLog = new LogGroup(this, "AccessLog", {
      // A number of days is a valid value of the enum, which has no name for a number from a configuration.
      retention: config.retention.logDays as RetentionDays,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    new HttpStage(this, "Default", {
      httpApi: api,
      stageName: "$default",
      autoDeploy: true,
      accessLogSettings: { destination: new LogGroupLogDestination(accessLog) },
    });
    this.url = api.apiEndpoint;
  }
}
