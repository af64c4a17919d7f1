/** Builds bundles and layers and declares the stacks. Run by the CDK CLI; called by infra/synth.ts and infra/local. */
import path from "node:path";
import { type HopName, hops } from "@touchstone/core/pipeline";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { type BuiltFunction, buildFunctions } from "../functions/build.ts";
import { buildLayers } from "../layers/build.ts";
import { hostTarget, lambdaArm64 } from "../layers/media/native-target.ts";
import { type Config, configFrom } from "./config.ts";
import { EndpointsStack } from "./stacks/endpoints.ts";
import { ObservabilityStack } from "./stacks/observability.ts";
import { PipelineStack } from "./stacks/pipeline.ts";
import { StorageStack } from "./stacks/storage.ts";

const projectRoot = path.resolve(import.meta.dirname, "..");

/** Set here and not in cdk.json, so that the CDK CLI and our own programs make the very same templates. */
const featureFlags = {
  "@aws-cdk/aws-lambda:recognizeLayerVersion": true,
  "@aws-cdk/aws-iam:minimizePolicies": true,
  "@aws-cdk/core:checkSecretUsage": true,
  "aws:cdk:enable-asset-metadata": false,
  "aws:cdk:enable-path-metadata": true,
};

export interface BuildOptions {
  /** Folder with one folder per function. */
  readonly functions?: string;
  /** Folder with the image strategy's Dockerfile. */
  readonly strategyImage?: string;
  /** Where bundles and layers are written. */
  readonly build?: string;
  /** Check the stacks with cdk-nag while they are synthesised; a finding then fails the process. */
  readonly check?: boolean;
  readonly report?: (line: string) => void;
}

/**
 * The whole application for `config`; `synth()` writes it to `outdir`. Needs neither an account nor Docker,
 * and the network only to fetch foreign native packages for the first time.
 */
export const buildApp = async (config: Config, outdir: string, options: BuildOptions = {}): Promise<App> => {
  const build = options.build ?? path.join(projectRoot, ".build");
  const report = options.report ?? (() => {});
  const native = config.native === "host" ? hostTarget() : lambdaArm64;
  const [functions, layers] = await Promise.all([
    buildFunctions(path.join(build, "functions"), options.functions),
    buildLayers(path.join(build, "layers"), native),
  ]);
  for (const { name, bytes } of functions) report(`bundled ${name} (${Math.ceil(bytes / 1024)} KB)`);
  report(`built the layers core and media (${native.os}-${native.cpu})`);

  const app = new App({
    outdir,
    analyticsReporting: false,
    treeMetadata: false,
    postCliContext: featureFlags,
  });
  const prefix = `touchstone-${config.stage}`;
  const env = config.region === undefined ? {} : { env: { region: config.region } };
  const stack = (name: string, description: string) => ({
    ...env,
    config,
    stackName: `${prefix}-${name}`,
    description,
  });
  const storage = new StorageStack(
    app,
    `${prefix}-storage`,
    stack("storage", "Touchstone: buckets, tables, uploads"),
  );
  const endpoints = new EndpointsStack(app, `${prefix}-endpoints`, {
    ...stack("endpoints", "Touchstone: models we host"),
    strategyImage: options.strategyImage ?? path.join(projectRoot, "infra/endpoints/image-strategy"),
  });
  const pipeline = new PipelineStack(app, `${prefix}-pipeline`, {
    ...stack("pipeline", "Touchstone: from an upload to results and reviews"),
    storage,
    endpoints,
    layers,
    nativeCpu: native.cpu,
    bundleOf: (hop) => bundleOf(functions, hop),
  });
  new ObservabilityStack(app, `${prefix}-observability`, {
    ...stack("observability", "Touchstone: dashboard"),
    pipeline,
  });
  if (options.check) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
};

const bundleOf = (functions: readonly BuiltFunction[], hop: HopName): string => {
  const bundle = functions.find(({ name }) => name === hop);
  if (bundle === undefined)
    throw new Error(`functions/${hop}/handler.ts is missing; the hops are ${Object.keys(hops).join(", ")}`);
  return bundle.directory;
};

if (import.meta.main) {
  const given: unknown = JSON.parse(process.env.CDK_CONTEXT_JSON ?? "{}");
  const context = Object.fromEntries(Object.entries(Object(given)));
  const out = process.env.CDK_OUTDIR ?? (typeof context.out === "string" ? context.out : "cdk.out");
  const app = await buildApp(configFrom(context), out, { check: true });
  app.synth();
}
