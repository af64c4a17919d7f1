/** Every resource type the embedded AWS knows. A type that is missing here makes start-up fail. */
import { NotSimulatedError, type Place } from "../not-simulated.ts";
import { httpApi, httpApiIntegration, httpApiRoute, httpApiStage } from "./apigatewayv2.ts";
import { dynamodbTable } from "./dynamodb-table.ts";
import { eventsRule } from "./events-rule.ts";
import { iamPolicy, iamRole } from "./iam.ts";
import { cdkMetadata, cloudwatchAlarm, cloudwatchDashboard, logGroup } from "./inert.ts";
import { lambdaEventSourceMapping } from "./lambda-event-source-mapping.ts";
import { lambdaFunction } from "./lambda-function.ts";
import { lambdaLayerVersion } from "./lambda-layer-version.ts";
import { lambdaPermission } from "./lambda-permission.ts";
import type { ResourceType } from "./resource.ts";
import { bucketPolicy, queuePolicy } from "./resource-policy.ts";
import { s3Bucket } from "./s3-bucket.ts";
import { sagemakerEndpoint, sagemakerEndpointConfig, sagemakerModel } from "./sagemaker.ts";
import { sqsQueue } from "./sqs-queue.ts";

const types: ReadonlyMap<string, ResourceType> = new Map(
  [
    bucketPolicy,
    cdkMetadata,
    cloudwatchAlarm,
    cloudwatchDashboard,
    dynamodbTable,
    eventsRule,
    httpApi,
    httpApiIntegration,
    httpApiRoute,
    httpApiStage,
    iamPolicy,
    iamRole,
    lambdaEventSourceMapping,
    lambdaFunction,
    lambdaLayerVersion,
    lambdaPermission,
    logGroup,
    queuePolicy,
    s3Bucket,
    sagemakerEndpoint,
    sagemakerEndpointConfig,
    sagemakerModel,
    sqsQueue,
  ].map((type) => [type.type, type]),
);

export function resourceType(place: Place): ResourceType {
  const type = types.get(place.type);
  if (type === undefined)
    throw new NotSimulatedError(
      place,
      "the embedded AWS does not simulate this resource type.",
      "Remove the resource, or add the type to infra/local/resources.",
    );
  return type;
}
