/** What the resources of all stacks are created into: the running services, and what they hang on each other. */
import type { AssetIndex } from "./assembly/assets.ts";
import type { DynamoDbService } from "./dynamodb/server.ts";
import type { HttpApi } from "./http-api/server.ts";
import type { Statement } from "./iam/policy.ts";
import type { EventSourceSettings } from "./lambda/event-source.ts";
import type { FunctionPool, Invocation } from "./lambda/function-pool.ts";
import type { ScheduleSettings } from "./lambda/schedule.ts";
import type { Place } from "./not-simulated.ts";
import type { BucketControl } from "./s3-buckets.ts";
import type { Container } from "./sagemaker/container.ts";
import type { SageMakerService } from "./sagemaker/server.ts";
import type { SqsService } from "./sqs/server.ts";
import type { JoinedTap } from "./taps.ts";

export interface Role {
  readonly arn: string;
  readonly name: string;
  readonly statements: Statement[];
}

export interface DeployedFunction {
  readonly place: Place;
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly role: Role;
  readonly pool: FunctionPool;
}

/** A grant to an AWS service, on a function or a queue. */
export interface ServiceGrant {
  readonly principal: string;
  readonly action: string;
  readonly target: string;
}

/** Something that works only if the template also grants it; checked when everything exists. */
export interface NeededGrant extends ServiceGrant {
  readonly place: Place;
}

export interface ModelImage {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface WorldSettings {
  readonly region: string;
  readonly account: string;
  readonly secretAccessKey: string;
  readonly workDirectory: string;
  readonly apiPort: number | undefined;
  readonly timeScale: number;
  /** Overrides of function environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly endpointOverrides: Readonly<Record<string, string>>;
  readonly log: (source: string, line: string) => void;
  /** One line of a function's output, not yet looked at for metrics. */
  readonly functionOutput: (functionId: string, line: string) => void;
  readonly onInvocation: (invocation: Invocation) => void;
  readonly signal: AbortSignal | undefined;
}

export interface World extends WorldSettings {
  readonly assets: AssetIndex;
  readonly tap: JoinedTap;
  readonly buckets: BucketControl;
  readonly sqs: SqsService;
  readonly dynamodb: DynamoDbService;
  readonly sagemaker: SageMakerService;
  /** Base URLs of the services. */
  readonly endpoints: Readonly<Record<"s3" | "sqs" | "dynamodb" | "sagemaker", string>>;

  readonly roles: Map<string, Role>;
  /** Layer version ARN → its directory in the assembly. */
  readonly layers: Map<string, string>;
  /** By ARN. */
  readonly functions: Map<string, DeployedFunction>;
  /** The same functions by the access key id with which they call services: their logical id. */
  readonly callers: Map<string, DeployedFunction>;
  readonly grants: ServiceGrant[];
  readonly neededGrants: NeededGrant[];
  /** Conditions on the finished world, such as permissions that any later resource may still grant. */
  readonly checks: Array<() => void>;
  readonly eventSources: EventSourceSettings[];
  readonly schedules: ScheduleSettings[];
  readonly apis: Map<string, HttpApi>;
  /** Integration id → the function it invokes. */
  readonly integrations: Map<string, DeployedFunction>;
  readonly models: Map<string, ModelImage>;
  /** Endpoint configuration name → model name. */
  readonly endpointConfigs: Map<string, string>;
  /** Containers on their way up; the stack waits for them last. */
  readonly containers: Promise<Container>[];
}
