/** S3, SQS and DynamoDB together: the services that hold data, and that may be stopped and started while functions run. */
import path from "node:path";
import { type DynamoDbService, startDynamoDb } from "./dynamodb/server.ts";
import type { Deliver } from "./s3/operation.ts";
import { type S3Server, startS3 } from "./s3/server.ts";
import { type SqsService, startSqs } from "./sqs/server.ts";
import type { JoinedTap } from "./taps.ts";

export type DataPorts = Partial<Record<"s3" | "sqs" | "dynamodb", number>>;

export interface DataServicesOptions {
  readonly region: string;
  readonly tap: JoinedTap;
  readonly log: (line: string) => void;
  /** Without one everything is gone at the end. */
  readonly directory: string | undefined;
  readonly heldReturnMs: number | undefined;
  /** Stands between S3 and its queues. */
  readonly wrapDeliver: ((deliver: Deliver) => Deliver) | undefined;
}

export interface DataServices {
  /** Each throws while the services are stopped. */
  readonly sqs: SqsService;
  readonly dynamodb: DynamoDbService;
  readonly s3: S3Server;
  /** Stops all three for so many milliseconds and starts them again on the same ports; needs a directory. */
  interrupt(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

interface Running {
  readonly sqs: SqsService;
  readonly dynamodb: DynamoDbService;
  readonly s3: S3Server;
}

export async function startDataServices(
  ports: DataPorts,
  options: DataServicesOptions,
): Promise<DataServices> {
  let running: Running | undefined = await start(ports, options);
  const { sqs, dynamodb, s3 } = running;
  const portsNow = { sqs: portOf(sqs.url), dynamodb: portOf(dynamodb.url), s3: s3.port };
  const now = (): Running => {
    if (running === undefined) throw new Error("S3, SQS and DynamoDB are stopped at the moment");
    return running;
  };
  const stop = async (): Promise<void> => {
    const stopping = running;
    running = undefined;
    if (stopping !== undefined) await stopAll(stopping);
  };
  return {
    get sqs() {
      return now().sqs;
    },
    get dynamodb() {
      return now().dynamodb;
    },
    get s3() {
      return now().s3;
    },
    async interrupt(milliseconds) {
      if (options.directory === undefined)
        throw new Error("services without a data directory would come back empty: give dataDirectory");
      await stop();
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      // Functions that waited for an answer go on; only messages of an earlier process had no holder left.
      running = await start(portsNow, { ...options, heldReturnMs: undefined });
    },
    close: stop,
  };
}

async function start(ports: DataPorts, options: DataServicesOptions): Promise<Running> {
  const { region, tap, log, directory, heldReturnMs, wrapDeliver } = options;
  const stored = (service: keyof DataPorts) => ({
    ...(directory === undefined ? {} : { directory: path.resolve(directory, service) }),
    ...(ports[service] === undefined ? {} : { port: ports[service] }),
  });
  const started: Array<() => Promise<void>> = [];
  try {
    const sqs = await startSqs({ region, tap, log, heldReturnMs, ...stored("sqs") });
    started.unshift(sqs.close);
    const dynamodb = await startDynamoDb({ region, tap, log, ...stored("dynamodb") });
    started.unshift(dynamodb.close);
    const deliver = wrapDeliver?.(sqs.deliver) ?? sqs.deliver;
    const s3 = await startS3({ region, tap, ...stored("s3"), deliver });
    return { sqs, dynamodb, s3 };
  } catch (error) {
    for (const close of started) await close();
    throw error;
  }
}

async function stopAll({ s3, dynamodb, sqs }: Running): Promise<void> {
  await s3.close();
  await dynamodb.close();
  await sqs.close();
}

const portOf = (url: string): number => Number(new URL(url).port);
