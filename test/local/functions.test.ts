import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Duration, type Stack } from "aws-cdk-lib";
import * as events from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ratePeriodMs } from "../../infra/local/lambda/schedule.ts";
import { type EmbeddedStack, startStack } from "../../infra/local/stack.ts";
import { eventually } from "./fixture/eventually.ts";
import { inlineFunction, synthesise, temporaryDirectory } from "./fixture/synthesise.ts";

const environmentDump = `
export const handler = async (event) => {
  if (event.set) process.env.LEAK = event.set;
  return { ...process.env };
};`;
const layered = `
import { greeting } from "@fixture/greeting";
import { shout } from "@fixture/shout";
export const handler = async (event, context) => ({
  text: shout(greeting), remaining: context.getRemainingTimeInMillis(), name: context.functionName,
  memory: context.memoryLimitInMB, arn: context.invokedFunctionArn, undefinedIsDropped: undefined,
});`;

let stack: EmbeddedStack;
const lines: string[] = [];

function layer(target: Stack, id: string, modules: Record<string, string>): lambda.LayerVersion {
  const root = temporaryDirectory("layer");
  for (const [name, code] of Object.entries(modules)) {
    const directory = path.join(root, "nodejs", "node_modules", name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      path.join(directory, "package.json"),
      JSON.stringify({ name, type: "module", exports: "./index.js" }),
    );
    writeFileSync(path.join(directory, "index.js"), code);
  }
  return new lambda.LayerVersion(target, id, { code: lambda.Code.fromAsset(root) });
}

function build(target: Stack): void {
  inlineFunction(target, "One", environmentDump, { environment: { MINE: "one", JUDGE_URL: "http://cloud" } });
  inlineFunction(target, "Two", environmentDump, { environment: { MINE: "two" } });
  inlineFunction(target, "Layered", layered, {
    layers: [
      layer(target, "Greetings", { "@fixture/greeting": "export const greeting = 'hello';" }),
      layer(target, "Voices", {
        "@fixture/shout": "export const shout = (text) => text.toUpperCase() + '!';",
      }),
    ],
  });
  inlineFunction(target, "Greedy", 'import "zod"; export const handler = () => {};');
  inlineFunction(target, "Callback", "export const handler = (event, context, callback) => callback();");
  const tick = inlineFunction(
    target,
    "Tick",
    "export const handler = (event) => console.log(JSON.stringify(event));",
  );
  new events.Rule(target, "EveryMinute", {
    schedule: events.Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaFunction(tick)],
  });
}

beforeAll(async () => {
  stack = await startStack({
    assembly: synthesise("Workers", build),
    environment: {
      JUDGE_URL: "http://127.0.0.1:9",
      UNKNOWN: "dropped",
      AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: "http://gpu",
    },
    timeScale: 200,
    log: (source, line) => lines.push(`${source}: ${line}`),
  });
});
afterAll(async () => await stack?.stop());

const id = (prefix: string) => stack.functions().find((each) => each.id.startsWith(prefix))?.id ?? prefix;

describe("the environment of a function", () => {
  test("is its template's, Lambda's and the embedded endpoints', and nothing of this process", async () => {
    const one = await stack.invoke(id("One"), {});
    expect(one).toMatchObject({
      MINE: "one",
      JUDGE_URL: "http://127.0.0.1:9",
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: id("One"),
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
      AWS_ENDPOINT_URL_SQS: stack.endpoints.sqs,
      AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: "http://gpu",
    });
    expect(one).not.toHaveProperty("UNKNOWN");
    expect(one).not.toHaveProperty("PATH");
    expect(one).not.toHaveProperty("VITEST");
  });

  test("is not shared: what one function sets, another does not see", async () => {
    expect(await stack.invoke(id("One"), { set: "yes" })).toHaveProperty("LEAK", "yes");
    const two = await stack.invoke(id("Two"), {});
    expect(two).toHaveProperty("MINE", "two");
    expect(two).not.toHaveProperty("LEAK");
    expect(process.env).not.toHaveProperty("LEAK");
  });
});

describe("a function", () => {
  test("imports from several layers and gets Lambda's context", async () => {
    expect(await stack.invoke(id("Layered"), {})).toEqual({
      text: "HELLO!",
      remaining: expect.any(Number),
      name: stack.functions().find((each) => each.id === id("Layered"))?.name,
      memory: "256",
      arn: expect.stringMatching(/^arn:aws:lambda:us-east-1:000000000000:function:Workers-Layered/),
    });
  });

  test("cannot import what was not deployed with it, though this machine has it", async () => {
    await expect(stack.invoke(id("Greedy"), {})).rejects.toThrow(/zod/);
  });

  test("with a callback is refused, as by nodejs24.x", async () => {
    await expect(stack.invoke(id("Callback"), {})).rejects.toThrow(/callback/);
  });

  test("keeps its worker between invocations, and the recorder knows both", async () => {
    await stack.invoke(id("Two"), {});
    const counted = stack.recorder.invocations().find(({ functionId }) => functionId === id("Two"));
    expect(counted).toMatchObject({ invocations: 2, coldStarts: 1, failures: 0 });
    expect(counted?.billedMs).toBeGreaterThan(0);
  });
});

describe("a schedule", () => {
  test("invokes its function with the scheduled event", async () => {
    const line = await eventually(() => lines.find((each) => each.startsWith("Tick")));
    expect(JSON.parse(line.slice(line.indexOf("{")))).toMatchObject({
      "detail-type": "Scheduled Event",
      source: "aws.events",
      resources: [expect.stringMatching(/^arn:aws:events:us-east-1:000000000000:rule\/Workers-EveryMinute/)],
      detail: {},
    });
  });

  test.each([
    ["rate(1 minute)", 60_000],
    ["rate(5 minutes)", 300_000],
    ["rate(2 hours)", 7_200_000],
    ["rate(1 day)", 86_400_000],
    ["cron(0 0 * * ? *)", undefined],
  ])("%s", (expression, period) => expect(ratePeriodMs(expression)).toBe(period));
});
