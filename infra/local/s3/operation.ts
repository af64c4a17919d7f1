/** What every S3 operation is given and gives back. */
import type { Catalog } from "./catalog.ts";
import type { Reply } from "./reply.ts";
import type { S3Request } from "./request.ts";

/** Puts one message on a queue. A rejection fails the request that caused the message. */
export type Deliver = (queueArn: string, body: string) => Promise<void>;

export interface S3Context {
  readonly catalog: Catalog;
  readonly region: string;
  readonly deliver: Deliver;
}

export type Operation = (context: S3Context, request: S3Request) => Promise<Reply> | Reply;
