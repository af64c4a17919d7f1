/** AWS::Lambda::Function: the deployed bundle, laid out with its layers and run in worker threads. */
import { access } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { functionEnvironment } from "../lambda/environment.ts";
import { type FunctionFiles, layOutFunction } from "../lambda/function-files.ts";
import { createFunctionPool } from "../lambda/function-pool.ts";
import { InvalidTemplateError } from "../not-simulated.ts";
import { assetDirectory } from "./asset-directory.ts";
import { inert, integer, tags } from "./property.ts";
import { arn, defineResource, type ResourceContext } from "./resource.ts";

/** Without reserved concurrency Lambda would go to a thousand; further invocations wait here. */
const defaultMaximumWorkers = 16;

export const lambdaFunction = defineResource({
  type: "AWS::Lambda::Function",
  properties: z.strictObject({
    FunctionName: z.string().optional(),
    Description: inert,
    Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
    Handler: z.string().regex(/^[\w./-]+\.\w+$/),
    Runtime: z.literal("nodejs24.x", "only nodejs24.x, the Node that runs this, is simulated"),
    Role: z.string(),
    Timeout: integer(1, 900).default(3),
    MemorySize: integer(128, 10_240).default(128),
    Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()) }).optional(),
    Layers: z.array(z.string()).default([]),
    ReservedConcurrentExecutions: integer(1, 1_000).optional(),
    Architectures: inert,
    EphemeralStorage: inert,
    LoggingConfig: inert,
    RecursiveLoop: inert,
    TracingConfig: inert,
    Tags: tags,
  }),
  async create(properties, context) {
    const { world, place } = context;
    const name = properties.FunctionName ?? context.generatedName.slice(0, 64);
    const functionArn = arn(world, "lambda", `function:${name}`);
    const id = place.logicalId;
    if (world.callers.has(id))
      throw new InvalidTemplateError(
        place,
        "two functions share this logical id, by which callers are told apart",
      );
    const role = world.roles.get(properties.Role);
    if (role === undefined)
      throw new InvalidTemplateError(place, `its role ${properties.Role} is in no stack`);

    const files = await layOutFunction({
      workDirectory: world.workDirectory,
      functionId: id,
      bundle: assetDirectory(properties.Code.S3Key, context),
      layers: properties.Layers.map((layer) => layerDirectory(layer, context)),
    });
    const [, handlerFile = "", handlerName = ""] = properties.Handler.match(/^(.+)\.(\w+)$/) ?? [];
    const pool = createFunctionPool({
      functionId: id,
      maximumWorkers: properties.ReservedConcurrentExecutions ?? defaultMaximumWorkers,
      onInvocation: world.onInvocation,
      worker: {
        functionName: name,
        functionArn,
        memoryMb: properties.MemorySize,
        timeoutMs: properties.Timeout * 1_000,
        handlerFile: await findHandler(files, handlerFile, context),
        handlerName,
        roots: files.roots,
        environment: functionEnvironment({
          template: properties.Environment?.Variables ?? {},
          functionId: id,
          functionName: name,
          memoryMb: properties.MemorySize,
          handler: properties.Handler,
          region: world.region,
          taskRoot: files.task,
          secretAccessKey: world.secretAccessKey,
          endpoints: world.endpoints,
          overrides: world.environment,
        }),
        log: (line) => world.functionOutput(id, line),
      },
    });
    const deployed = { place, id, name, arn: functionArn, role, pool };
    world.functions.set(functionArn, deployed);
    world.callers.set(id, deployed);
    return { ref: name, attributes: { Arn: functionArn } };
  },
});

function layerDirectory(layerArn: string, { world, place }: ResourceContext): string {
  const directory = world.layers.get(layerArn);
  if (directory === undefined)
    throw new InvalidTemplateError(
      place,
      `its layer ${layerArn} is in no stack: build it as a LayerVersion here`,
    );
  return directory;
}

async function findHandler(files: FunctionFiles, name: string, { place }: ResourceContext): Promise<string> {
  for (const extension of [".mjs", ".js", ".cjs"]) {
    const file = path.join(files.task, name + extension);
    const found = await access(file).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  throw new InvalidTemplateError(place, `its bundle has no ${name}.mjs, ${name}.js or ${name}.cjs`);
}
