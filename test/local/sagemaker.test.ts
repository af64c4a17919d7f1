import path from "node:path";
import {
  InvokeEndpointCommand,
  InvokeEndpointWithResponseStreamCommand,
  SageMakerRuntimeClient,
} from "@aws-sdk/client-sagemaker-runtime";
import { CfnOutput, type Stack } from "aws-cdk-lib";
import { DockerImageAsset } from "aws-cdk-lib/aws-ecr-assets";
import * as iam from "aws-cdk-lib/aws-iam";
import * as sagemaker from "aws-cdk-lib/aws-sagemaker";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import { synthesise } from "./fixture/synthesise.ts";

let stack: EmbeddedStack;
let overridden: EmbeddedStack;
let client: SageMakerRuntimeClient;

function build(target: Stack): void {
  const image = new DockerImageAsset(target, "Image", {
    directory: path.join(import.meta.dirname, "fixture/model"),
  });
  const role = new iam.Role(target, "Role", {
    assumedBy: new iam.ServicePrincipal("sagemaker.amazonaws.com"),
  });
  const model = new sagemaker.CfnModel(target, "Model", {
    executionRoleArn: role.roleArn,
    primaryContainer: { image: image.imageUri, environment: { STYLE: "mixed" } },
  });
  const config = new sagemaker.CfnEndpointConfig(target, "Config", {
    productionVariants: [
      {
        modelName: model.attrModelName,
        variantName: "AllTraffic",
        initialInstanceCount: 1,
        instanceType: "ml.c6g.large",
      },
    ],
  });
  const endpoint = new sagemaker.CfnEndpoint(target, "Endpoint", {
    endpointConfigName: config.attrEndpointConfigName,
  });
  new CfnOutput(target, "EndpointName", { value: endpoint.attrEndpointName });
}

const clientOf = ({ endpoints, region, credentials }: EmbeddedStack) =>
  new SageMakerRuntimeClient({ endpoint: endpoints.sagemaker, region, credentials, maxAttempts: 1 });

beforeAll(async () => {
  const assembly = synthesise("Model", build);
  stack = await startStack({ assembly });
  client = clientOf(stack);
  overridden = await startStack({ assembly, endpointOverrides: { Endpoint: "http://127.0.0.1:1" } });
});
afterAll(async () => {
  await stack?.stop();
  await overridden?.stop();
});

const invoke = (Body: string, EndpointName = stack.outputs.Model?.EndpointName) =>
  client.send(new InvokeEndpointCommand({ EndpointName, Body, Accept: "application/x-style" }));

describe("a SageMaker endpoint", () => {
  test("answers from the image's own server, with the model's environment", async () => {
    const answer = await invoke("picture");
    expect(Buffer.from(answer.Body ?? []).toString()).toBe("mixed:picture");
    expect(answer.ContentType).toBe("application/x-style");
  });

  test("streams an answer in pieces, and refuses a streamed call like any other", async () => {
    const stream = async (Body: string, EndpointName = stack.outputs.Model?.EndpointName) => {
      const answer = await client.send(new InvokeEndpointWithResponseStreamCommand({ EndpointName, Body }));
      const parts: Uint8Array[] = [];
      for await (const { PayloadPart } of answer.Body ?? [])
        parts.push(PayloadPart?.Bytes ?? new Uint8Array());
      return parts;
    };
    const parts = await stream("picture");
    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.concat(parts).toString()).toBe("mixed:picture");
    await expect(stream("bad")).rejects.toMatchObject({ name: "ModelError", OriginalStatusCode: 500 });
    await expect(stream("x", "elsewhere")).rejects.toThrow(/Endpoint elsewhere .* not found/);
  });

  test("passes a container's error on as ModelError", async () => {
    await expect(invoke("bad")).rejects.toMatchObject({
      name: "ModelError",
      OriginalStatusCode: 500,
      OriginalMessage: "mixed:bad",
    });
  });

  test("is not found under another name, and takes no more than 6 MB", async () => {
    await expect(invoke("x", "elsewhere")).rejects.toThrow(/Endpoint elsewhere .* not found/);
    await expect(invoke("x".repeat(6 * 1024 * 1024 + 1))).rejects.toThrow(/exceeds the limit/);
  });

  test("can be a container that runs elsewhere", async () => {
    const answer = clientOf(overridden).send(
      new InvokeEndpointCommand({ EndpointName: overridden.outputs.Model?.EndpointName, Body: "x" }),
    );
    await expect(answer).rejects.toMatchObject({ name: "ModelError" });
  });
});
