/** AWS::SageMaker::{Model,EndpointConfig,Endpoint}: real-time endpoints on our own images, run from their directories. */
import * as z from "zod";
import { InvalidTemplateError, NotSimulatedError } from "../not-simulated.ts";
import { startContainer } from "../sagemaker/container.ts";
import type { ModelImage } from "../world.ts";
import { inert, integer, tags } from "./property.ts";
import { arn, defineResource, type ResourceContext } from "./resource.ts";

export const sagemakerModel = defineResource({
  type: "AWS::SageMaker::Model",
  properties: z.strictObject({
    ModelName: z.string().optional(),
    ExecutionRoleArn: z.string(),
    PrimaryContainer: z.strictObject({
      Image: z.string(),
      Environment: z.record(z.string(), z.coerce.string()).default({}),
      Mode: z.literal("SingleModel").optional(),
    }),
    EnableNetworkIsolation: inert,
    Tags: tags,
  }),
  create({ ModelName, PrimaryContainer }, { world, generatedName }) {
    const name = ModelName ?? generatedName.slice(0, 63);
    world.models.set(name, { image: PrimaryContainer.Image, environment: PrimaryContainer.Environment });
    return { ref: arn(world, "sagemaker", `model/${name}`), attributes: { ModelName: name } };
  },
});

export const sagemakerEndpointConfig = defineResource({
  type: "AWS::SageMaker::EndpointConfig",
  properties: z.strictObject({
    EndpointConfigName: z.string().optional(),
    ProductionVariants: z
      .array(
        z.strictObject({
          ModelName: z.string(),
          VariantName: z.string(),
          InitialVariantWeight: inert,
          InitialInstanceCount: integer(0, 1_000).optional(),
          InstanceType: inert,
          ServerlessConfig: inert,
          ContainerStartupHealthCheckTimeoutInSeconds: inert,
        }),
      )
      .length(1, "only one production variant is simulated"),
    KmsKeyId: inert,
    Tags: tags,
  }),
  create({ EndpointConfigName, ProductionVariants }, { world, generatedName }) {
    const name = EndpointConfigName ?? generatedName.slice(0, 63);
    const model = ProductionVariants[0]?.ModelName.split("/").at(-1);
    if (model !== undefined) world.endpointConfigs.set(name, model);
    return {
      ref: arn(world, "sagemaker", `endpoint-config/${name}`),
      attributes: { EndpointConfigName: name },
    };
  },
});

export const sagemakerEndpoint = defineResource({
  type: "AWS::SageMaker::Endpoint",
  properties: z.strictObject({
    EndpointName: z.string().optional(),
    EndpointConfigName: z.string(),
    Tags: tags,
  }),
  create({ EndpointName, EndpointConfigName }, context) {
    const { world, place, generatedName } = context;
    const name = EndpointName ?? generatedName.slice(0, 63);
    const override = world.endpointOverrides[name] ?? world.endpointOverrides[place.logicalId];
    if (override !== undefined) world.sagemaker.addEndpoint(name, override);
    else runModel(name, EndpointConfigName.split("/").at(-1) ?? "", context);
    return { ref: arn(world, "sagemaker", `endpoint/${name}`), attributes: { EndpointName: name } };
  },
});

/** Containers load their weights while the remaining resources are created; the stack waits for them at the end. */
function runModel(endpoint: string, config: string, context: ResourceContext): void {
  const { world } = context;
  const model = world.models.get(world.endpointConfigs.get(config) ?? "");
  if (model === undefined)
    throw new InvalidTemplateError(context.place, `its configuration ${config} leads to no model`);
  const starting = startContainer({
    directory: imageDirectory(model, context),
    environment: model.environment,
    log: (line) => world.log(`sagemaker:${endpoint}`, line),
    signal: world.signal,
  });
  const started = starting.then((container) => {
    world.sagemaker.addEndpoint(endpoint, container.url);
    return container;
  });
  // The stack awaits it later; a failure before that must not count as one that nobody handles.
  started.catch(() => {});
  world.containers.push(started);
}

function imageDirectory({ image }: ModelImage, { world, place }: ResourceContext): string {
  const directory = world.assets.images.get(image.split(":").at(-1) ?? "");
  if (directory === undefined)
    throw new NotSimulatedError(
      place,
      `image ${image} is no container asset of this assembly.`,
      "Build it with a DockerImageAsset, or pass endpointOverrides with the URL of a running container.",
    );
  return directory;
}
