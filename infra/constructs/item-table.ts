/** An on-demand table, restorable and protected where the deployment keeps its data. */
import { RemovalPolicy } from "aws-cdk-lib";
import { type Attribute, BillingMode, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import type { Config } from "../config.ts";
import { acknowledge } from "./acknowledge.ts";

export interface ItemTableProps {
  readonly partitionKey: Attribute;
  readonly sortKey?: Attribute;
  readonly index?: {
    readonly name: string;
    readonly partitionKey: Attribute;
    readonly sortKey: Attribute;
    /** Attributes it carries besides the keys. */
    readonly carries: readonly string[];
  };
  /** Attribute with the epoch second after which DynamoDB deletes the item. */
  readonly expiry?: string;
  readonly config: Pick<Config, "keepData" | "pointInTimeRecovery">;
}

export class ItemTable extends Construct {
  readonly table: Table;
  /** ARN of the one index; null where there is none. */
  readonly indexArn: string | null;

  constructor(scope: Construct, id: string, { index, config, ...props }: ItemTableProps) {
    super(scope, id);
    this.table = new Table(this, "Table", {
      partitionKey: props.partitionKey,
      ...(props.sortKey && { sortKey: props.sortKey }),
      ...(props.expiry !== undefined && { timeToLiveAttribute: props.expiry }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: config.pointInTimeRecovery },
      deletionProtection: config.keepData,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    if (index !== undefined)
      this.table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: index.partitionKey,
        sortKey: index.sortKey,
        ...(index.carries.length === 0
          ? { projectionType: ProjectionType.KEYS_ONLY }
          : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.carries] }),
      });
    this.indexArn = index === undefined ? null : `${this.table.tableArn}/index/${index.name}`;
    if (!config.pointInTimeRecovery)
      acknowledge(
        this.table,
        "AwsSolutions-DDB3",
        "2026-11-29",
        "a development table is rebuilt from its batches; prod has point-in-time recovery",
      );
  }
}
