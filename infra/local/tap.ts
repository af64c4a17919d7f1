/** The place where every call to an embedded AWS service can be seen: counted, refused, or interrupted. */

export const serviceNames = ["s3", "sqs", "dynamodb", "sagemaker"] as const;
export type ServiceName = (typeof serviceNames)[number];

/** One of the writes that a DynamoDB call makes together. */
export interface ItemWrite {
  /** The IAM action that it needs, without the service. */
  readonly action: string;
  readonly table: string;
  readonly item: string;
  readonly expression: string;
}

/** One call as the service understood it. */
export interface ServiceCall {
  readonly service: ServiceName;
  /** The API's own operation name, e.g. `PutItem`, `SendMessageBatch`, `GetObject`. */
  readonly operation: string;
  /** Table, queue, endpoint or bucket name; for S3 objects `bucket/key`. */
  readonly resource: string;
  /** Secondary index, for DynamoDB calls that name one. */
  readonly index?: string;
  /** Object version, for S3 calls that name one. */
  readonly version?: string;
  /** Key values of the item and expression of the update, for DynamoDB calls about a single item. */
  readonly item?: string;
  readonly expression?: string;
  /** For DynamoDB calls that make several: those that are asked for, and after the call those that were made. */
  readonly writes?: readonly ItemWrite[];
  /** Access key id of the caller; each function has its own, so this names who calls. */
  readonly caller: string;
  readonly requestBytes: number;
}

export interface ServiceReply {
  readonly status: number;
  readonly responseBytes: number;
  /** What DynamoDB would bill for the table: read or write units by the sizes of the items. Indexes are not in it. */
  readonly capacityUnits?: number;
}

/**
 * Hooks around a call. `before` runs ahead of the effect and may throw to refuse the call (the message
 * becomes an AccessDenied answer). `after` runs when the effect has happened and the answer has not been
 * sent yet; a hook that terminates the caller there has killed it between two writes.
 */
export interface Tap {
  before?(call: ServiceCall): void | Promise<void>;
  after?(call: ServiceCall, reply: ServiceReply): void | Promise<void>;
}
