/** AWS::ApiGatewayV2::{Api,Stage,Integration,Route}: HTTP APIs in front of functions, open or IAM-authorised. */
import { createHash } from "node:crypto";
import * as z from "zod";
import { parseRouteKey } from "../http-api/route.ts";
import { type HttpApi, startHttpApi } from "../http-api/server.ts";
import { isAllowed } from "../iam/permission-check.ts";
import { InvalidTemplateError } from "../not-simulated.ts";
import { findFunction } from "./find-function.ts";
import { inert, integer, tags } from "./property.ts";
import { arn, defineResource, type ResourceContext } from "./resource.ts";

export const httpApi = defineResource({
  type: "AWS::ApiGatewayV2::Api",
  properties: z.strictObject({
    Name: z.string(),
    ProtocolType: z.literal("HTTP"),
    Description: inert,
    DisableExecuteApiEndpoint: z.literal(false).optional(),
    Tags: tags,
  }),
  async create(_, { world, place }) {
    const id = createHash("sha256").update(`${place.stack}/${place.logicalId}`).digest("hex").slice(0, 10);
    const api = await startHttpApi({
      id,
      port: world.apis.size === 0 ? world.apiPort : undefined,
      region: world.region,
      secretAccessKey: world.secretAccessKey,
      mayInvoke(accessKeyId, method, path) {
        const caller = world.callers.get(accessKeyId);
        if (caller === undefined) return true;
        const resource = arn(world, "execute-api", `${id}/$default/${method}${path}`);
        return isAllowed(caller.role.statements, { action: "execute-api:Invoke", resource });
      },
      log: (line) => world.log(place.logicalId, line),
    });
    world.apis.set(id, api);
    return { ref: id, attributes: { ApiId: id, ApiEndpoint: api.url } };
  },
});

export const httpApiStage = defineResource({
  type: "AWS::ApiGatewayV2::Stage",
  properties: z.strictObject({
    ApiId: z.string(),
    StageName: z.literal("$default", "only the $default stage is simulated"),
    AutoDeploy: z.literal(true, "without AutoDeploy nothing would be deployed"),
    AccessLogSettings: inert,
    DefaultRouteSettings: inert,
    Description: inert,
    Tags: tags,
  }),
  create: ({ StageName }) => ({ ref: StageName, attributes: {} }),
});

export const httpApiIntegration = defineResource({
  type: "AWS::ApiGatewayV2::Integration",
  properties: z.strictObject({
    ApiId: z.string(),
    IntegrationType: z.literal("AWS_PROXY"),
    IntegrationUri: z.string(),
    IntegrationMethod: inert,
    PayloadFormatVersion: z.literal("2.0"),
    TimeoutInMillis: integer(50, 30_000).optional(),
    Description: inert,
  }),
  create({ IntegrationUri }, { world, place }) {
    const target = findFunction(world, IntegrationUri, place);
    world.neededGrants.push({
      place,
      principal: "apigateway.amazonaws.com",
      action: "lambda:InvokeFunction",
      target: target.arn,
    });
    world.integrations.set(place.logicalId, target);
    return { ref: place.logicalId, attributes: { IntegrationId: place.logicalId } };
  },
});

export const httpApiRoute = defineResource({
  type: "AWS::ApiGatewayV2::Route",
  properties: z.strictObject({
    ApiId: z.string(),
    RouteKey: z.string(),
    Target: z.string(),
    AuthorizationType: z.enum(["NONE", "AWS_IAM"], "only NONE and AWS_IAM are simulated").default("NONE"),
    OperationName: inert,
  }),
  create({ ApiId, RouteKey, Target, AuthorizationType }, context) {
    const { world, place } = context;
    const integration = world.integrations.get(Target.replace("integrations/", ""));
    if (integration === undefined) throw new InvalidTemplateError(place, `there is no integration ${Target}`);
    findApi(ApiId, context).addRoute({
      ...parseRouteKey(RouteKey),
      requiresSignature: AuthorizationType === "AWS_IAM",
      pool: integration.pool,
    });
    return { ref: place.logicalId, attributes: { RouteId: place.logicalId } };
  },
});

function findApi(id: string, { world, place }: ResourceContext): HttpApi {
  const api = world.apis.get(id);
  if (api === undefined) throw new InvalidTemplateError(place, `there is no HTTP API ${id}`);
  return api;
}
