/** Builds bundles and layers and declares the stacks. Run by the CDK CLI; called by infra/synth.ts and infra/local. */
import path from "node:path";
import type { HopName } from "@touchstone/core/pipeline";
import { App, CloudFormationValidatePlugin, Validations } from "aws-cdk-lib";
import { type BuiltFunction, buildFunctions } from "../functions/build.ts";
import { type BuiltLayers, buildLayers } from "../layers/build.ts";
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
  // Exports: CloudFormation then refuses to delete what another stack still uses.
  "@aws-cdk/core:defaultCrossStackReferences": "strong",
  "@aws-cdk/core:validateAgainstDefaultRules": true,
  "aws:cdk:enable-asset-metadata": false,
  "aws:cdk:enable-path-metadata": true,
};

/** What is deployed besides the templates, each a directory. */
export interface Parts {
  readonly bundleOf: (hop: HopName) => string;
  readonly layers: BuiltLayers;
  /** Processor that the native parts were built for, in Node's words. */
  readonly nativeCpu: string;
  /** With the image strategy's Dockerfile. */
  readonly strategyImage: string;
}

export interface BuildOptions {
  /** Folder with one folder per function. */
  readonly functions?: string;
  readonly strategyImage?: string;
  /** Where bundles and layers are written. */
  readonly build?: string;
  readonly report?: (line: string) => void;
}

/**
 * Builds all parts and declares the application; `synth()` then writes it to `outdir`. Needs neither an
 * account nor Docker, and the network only to fetch foreign native packages for the first time.
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
  return declareApp(config, outdir, {
    bundleOf: (hop) => bundleOf(functions, hop),
    layers,
    nativeCpu: native.cpu,
    strategyImage: options.strategyImage ?? path.join(projectRoot, "infra/endpoints/image-strategy"),
  });
};

/** Declares the four stacks over parts that exist already. */
export const declareApp = (config: Config, outdir: string, parts: Parts): App => {
  const app = new App({
    outdir,
    analyticsReporting: false,
    treeMetadata: false,
    builtinCloudFormationValidation: false,
    postCliContext: featureFlags,
  });
  const nameOf = (stack: string): string => `touchstone-${config.stage}-${stack}`;
  const common = { config, ...(config.region !== undefined && { env: { region: config.region } }) };
  const storage = new StorageStack(app, nameOf("storage"), {
    ...common,
    description: "Touchstone: buckets, tables, and the queue of uploads",
  });
  const endpoints = new EndpointsStack(app, nameOf("endpoints"), {
    ...common,
    strategyImage: parts.strategyImage,
    description: "Touchstone: the models we host",
  });
  const pipeline = new PipelineStack(app, nameOf("pipeline"), {
    ...common,
    parts,
    storage,
    endpoints,
    description: "Touchstone: from an upload to results and reviews",
  });
  new ObservabilityStack(app, nameOf("observability"), {
    ...common,
    pipeline,
    description: "Touchstone: the dashboard",
  });
  return app;
};

/**
 * Has the stacks checked, when they are synthesised, against CloudFormation's own rules and cdk-nag's
 * AwsSolutions. A finding that nobody accepted fails the synthesis.
 */
export const checkStacks = async (app: App): Promise<void> => {
  // Loaded, and run, only where something may be deployed: both take longer than the synthesis itself.
  const { AwsSolutionsChecks } = await import("cdk-nag");
  Validations.of(app).addPlugins(new CloudFormationValidatePlugin(), new AwsSolutionsChecks(app));
};

const bundleOf = (functions: readonly BuiltFunction[], hop: HopName): string => {
  const bundle = functions.find(({ name }) => name === hop);
  if (bundle !== undefined) return bundle.directory;
  throw new Error(
    `functions/${hop}/handler.ts is missing: every hop of layers/core/src/pipeline.ts needs one`,
  );
};

if (import.meta.main) {
  const given: unknown = JSON.parse(process.env.CDK_CONTEXT_JSON ?? "{}");
  const context = Object.fromEntries(Object.entries(Object(given)));
  const out = process.env.CDK_OUTDIR ?? (typeof context.out === "string" ? context.out : "cdk.out");
  const app = await buildApp(configFrom(context), out);
  await checkStacks(app);
  app.synth();
}
