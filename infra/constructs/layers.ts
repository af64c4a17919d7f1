/** The two layers as LayerVersions, and the architecture their native parts were built for. */
import { Architecture, Code, LayerVersion, Runtime } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { BuiltLayers } from "../../layers/build.ts";

export class Layers extends Construct {
  readonly core: LayerVersion;
  readonly media: LayerVersion;

  constructor(scope: Construct, id: string, built: BuiltLayers, architecture: Architecture) {
    super(scope, id);
    const compatibleRuntimes = [Runtime.NODEJS_24_X];
    this.core = new LayerVersion(this, "Core", {
      description: "@touchstone/core: the functional core",
      code: Code.fromAsset(built.core),
      compatibleRuntimes,
      compatibleArchitectures: [Architecture.ARM_64, Architecture.X86_64],
    });
    this.media = new LayerVersion(this, "Media", {
      description: "sharp and its native parts; ffmpeg as WebAssembly",
      code: Code.fromAsset(built.media),
      compatibleRuntimes,
      compatibleArchitectures: [architecture],
    });
  }
}
