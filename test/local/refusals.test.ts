import { Duration, type Stack, Validations } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import * as s3 from "aws-cdk-lib/aws-s3";
import * as sns from "aws-cdk-lib/aws-sns";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { startStack } from "../../infra/local/stack.ts";
import { inlineFunction, synthesise } from "./fixture/synthesise.ts";

const nothing = "export const handler = () => {};";

async function start(build: (stack: Stack) => void): Promise<never> {
  const stack = await startStack({ assembly: synthesise("Refused", build) });
  await stack.stop();
  throw new Error("the stack started");
}

describe("a template that would mean something else in AWS does not start", () => {
  test("a resource type that is not simulated", async () => {
    await expect(start((stack) => new sns.Topic(stack, "Alerts"))).rejects.toThrow(
      /stack Refused, resource Alerts\w+ \(AWS::SNS::Topic\): the embedded AWS does not simulate this resource type/,
    );
  });

  test("a property that is not simulated", async () => {
    const build = (stack: Stack) =>
      new s3.CfnBucket(stack, "Fast", { accelerateConfiguration: { accelerationStatus: "Enabled" } });
    await expect(start(build)).rejects.toThrow(/resource Fast \(AWS::S3::Bucket\).*AccelerateConfiguration/s);
  });

  test("an event filter", async () => {
    const build = (stack: Stack) =>
      inlineFunction(stack, "Picky", nothing).addEventSource(
        new SqsEventSource(new sqs.Queue(stack, "Queue"), {
          filters: [lambda.FilterCriteria.filter({ body: { kind: ["a"] } })],
        }),
      );
    await expect(start(build)).rejects.toThrow(/AWS::Lambda::EventSourceMapping.*FilterCriteria/s);
  });

  test("an intrinsic that is not simulated", async () => {
    const build = (stack: Stack) =>
      new s3.CfnBucket(stack, "Zoned", { bucketName: { "Fn::GetAZs": "" } as unknown as string });
    await expect(start(build)).rejects.toThrow(
      /resource Zoned \(AWS::S3::Bucket\): intrinsic Fn::GetAZs is not simulated/,
    );
  });

  test("a condition in a role's policy", async () => {
    const build = (stack: Stack) =>
      inlineFunction(stack, "Careful", nothing).addToRolePolicy(
        new iam.PolicyStatement({
          actions: ["s3:GetObject"],
          resources: ["*"],
          conditions: { StringEquals: { "s3:prefix": "a" } },
        }),
      );
    await expect(start(build)).rejects.toThrow(
      /AWS::IAM::Policy.*the condition of the statement on s3:GetObject/,
    );
  });
});

describe("a template that AWS would refuse, or that could never work, does not start", () => {
  test("a notification to a queue that lets S3 send nothing", async () => {
    const build = (stack: Stack) =>
      new s3.CfnBucket(stack, "Mute", {
        notificationConfiguration: {
          queueConfigurations: [
            { event: "s3:ObjectCreated:*", queue: new sqs.Queue(stack, "Closed").queueArn },
          ],
        },
      });
    await expect(start(build)).rejects.toThrow(/resource Mute.*allows s3\.amazonaws\.com to sqs:SendMessage/);
  });

  test("a queue whose messages return before the function's time-out", async () => {
    const build = (stack: Stack) => {
      const queue = new sqs.Queue(stack, "Hasty");
      Validations.of(queue).acknowledge({
        id: "CloudFormation-Validate::E3505",
        reason: "it is what is tested",
      });
      const slow = inlineFunction(stack, "Slow", nothing, { timeout: Duration.seconds(31) });
      slow.addEventSource(new SqsEventSource(queue));
    };
    await expect(start(build)).rejects.toThrow(/visibility time-out of 30 s, less than the function's 31 s/);
  });

  test("a poller whose role may not receive", async () => {
    const build = (stack: Stack) => {
      const role = new iam.Role(stack, "Bare", {
        assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com"),
      });
      const target = inlineFunction(stack, "Target", nothing, { role: role.withoutPolicyUpdates() });
      target.addEventSource(new SqsEventSource(new sqs.Queue(stack, "Queue")));
    };
    await expect(start(build)).rejects.toThrow(/the role of \S+ does not allow sqs:ReceiveMessage/);
  });
});
