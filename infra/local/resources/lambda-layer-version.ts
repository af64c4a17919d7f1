/** AWS::Lambda::LayerVersion: a directory whose `nodejs/node_modules` functions can import from. */
import * as z from "zod";
import { assetDirectory } from "./asset-directory.ts";
import { inert } from "./property.ts";
import { arn, defineResource } from "./resource.ts";

export const lambdaLayerVersion = defineResource({
  type: "AWS::Lambda::LayerVersion",
  properties: z.strictObject({
    LayerName: z.string().optional(),
    Content: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
    CompatibleRuntimes: inert,
    CompatibleArchitectures: inert,
    Description: inert,
    LicenseInfo: inert,
  }),
  create({ LayerName, Content }, context) {
    const layerArn = arn(context.world, "lambda", `layer:${LayerName ?? context.generatedName}:1`);
    context.world.layers.set(layerArn, assetDirectory(Content.S3Key, context));
    return { ref: layerArn, attributes: { LayerVersionArn: layerArn } };
  },
});
