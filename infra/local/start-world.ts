/** Starts the embedded services and makes the empty world that a template's resources are created into. */
import type { AssetIndex } from "./assembly/assets.ts";
import { type DataServices, startDataServices } from "./data-services.ts";
import { permissionTap } from "./iam/permission-check.ts";
import type { Deliver } from "./s3/operation.ts";
import { createBucketControl } from "./s3-buckets.ts";
import { startSageMaker } from "./sagemaker/server.ts";
import type { Tap } from "./tap.ts";
import { joinTaps } from "./taps.ts";
import type { World, WorldSettings } from "./world.ts";

export type ServicePorts = Partial<Record<"s3" | "sqs" | "dynamodb" | "sagemaker", number>>;

export interface WorldStart {
  readonly settings: WorldSettings;
  readonly assets: AssetIndex;
  readonly ports: ServicePorts;
  readonly dataDirectory: string | undefined;
  readonly heldReturnMs: number | undefined;
  readonly wrapDeliver: ((deliver: Deliver) => Deliver) | undefined;
  readonly operator: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** See every call that was allowed. */
  readonly taps: readonly Tap[];
  /** What has been started is added here at once, to be ended in reverse order even when a later start fails. */
  readonly closers: Array<() => Promise<void>>;
}

export async function startWorld({
  settings,
  closers,
  ports,
  ...start
}: WorldStart): Promise<{ readonly world: World; readonly data: DataServices }> {
  const { region, account } = settings;
  const callers: World["callers"] = new Map();
  const statementsOf = (caller: string) => callers.get(caller)?.role.statements;
  const tap = joinTaps([permissionTap(statementsOf, region, account), ...start.taps]);
  const common = { region, tap, log: (line: string) => settings.log("runner", line) };
  const data = await startDataServices(ports, {
    ...common,
    directory: start.dataDirectory,
    heldReturnMs: start.heldReturnMs,
    wrapDeliver: start.wrapDeliver,
  });
  closers.push(data.close);
  const { s3, sqs, dynamodb } = data;
  const sagemaker = await startSageMaker({ ...common, port: ports.sagemaker });
  closers.push(sagemaker.close);

  const world: World = {
    ...settings,
    assets: start.assets,
    tap,
    buckets: createBucketControl({ endpoint: s3.url, region, credentials: start.operator }),
    get sqs() {
      return data.sqs;
    },
    get dynamodb() {
      return data.dynamodb;
    },
    sagemaker,
    endpoints: { s3: s3.url, sqs: sqs.url, dynamodb: dynamodb.url, sagemaker: sagemaker.url },
    functions: new Map(),
    callers,
    roles: new Map(),
    layers: new Map(),
    grants: [],
    neededGrants: [],
    checks: [],
    eventSources: [],
    schedules: [],
    apis: new Map(),
    integrations: new Map(),
    models: new Map(),
    endpointConfigs: new Map(),
    containers: [],
  };
  closers.push(async () => {
    await Promise.all([...callers.values()].map(({ pool }) => pool.kill()));
    await Promise.all([...world.apis.values()].map((api) => api.close()));
    for (const container of await Promise.allSettled(world.containers))
      if (container.status === "fulfilled") await container.value.stop();
  });
  return { world, data };
}
