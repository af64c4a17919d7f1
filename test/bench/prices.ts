/**
 * List prices that `bench cost` multiplies counts with: USD, region us-east-1, pay as you go, without free tiers, volume
 * steps and discounts. Prices change: look each line up at its source before a figure goes into a budget.
 */

export interface Price {
  readonly usd: number;
  /** What `usd` buys. */
  readonly per: string;
  /** How many of the units counted that is. */
  readonly units: number;
  readonly service: BilledService;
  readonly source: string;
  /** Month in which the line was last known to hold. */
  readonly asOf: string;
}

export const billedServices = ["sqs", "dynamodb", "s3", "lambda", "cloudwatch", "apigateway"] as const;
export type BilledService = (typeof billedServices)[number];

const lambda = {
  service: "lambda",
  source: "https://aws.amazon.com/lambda/pricing/",
  asOf: "2026-02",
} as const;
const dynamodb = {
  service: "dynamodb",
  source: "https://aws.amazon.com/dynamodb/pricing/on-demand/",
  asOf: "2025-07",
} as const;
const s3 = { service: "s3", source: "https://aws.amazon.com/s3/pricing/", asOf: "2025-07" } as const;
const cloudwatch = {
  service: "cloudwatch",
  source: "https://aws.amazon.com/cloudwatch/pricing/",
  asOf: "2026-02",
} as const;

export const prices = {
  "sqs-request": {
    ...{ service: "sqs", source: "https://aws.amazon.com/sqs/pricing/", asOf: "2025-07" },
    ...{ usd: 0.4, units: 1e6, per: "million requests to standard queues, each begun 64 KB" },
  },
  "dynamodb-write": { ...dynamodb, usd: 0.625, units: 1e6, per: "million write request units of 1 KB" },
  "dynamodb-read": { ...dynamodb, usd: 0.125, units: 1e6, per: "million read request units of 4 KB" },
  "s3-write": { ...s3, usd: 0.005, units: 1e3, per: "thousand PUT, COPY, POST or LIST requests" },
  "s3-read": { ...s3, usd: 0.0004, units: 1e3, per: "thousand GET and other requests" },
  "lambda-request": { ...lambda, usd: 0.2, units: 1e6, per: "million requests" },
  "lambda-gb-second": { ...lambda, usd: 0.0000133334, units: 1, per: "GB-second on arm64" },
  "logs-gb": { ...cloudwatch, usd: 0.5, units: 1e9, per: "GB of log events taken in" },
  "metric-month": { ...cloudwatch, usd: 0.3, units: 1, per: "custom metric a month" },
  "alarm-month": { ...cloudwatch, usd: 0.1, units: 1, per: "standard-resolution alarm a month" },
  "dashboard-month": { ...cloudwatch, usd: 3, units: 1, per: "dashboard a month" },
  "http-api-request": {
    ...{ service: "apigateway", source: "https://aws.amazon.com/api-gateway/pricing/", asOf: "2025-07" },
    ...{ usd: 1, units: 1e6, per: "million HTTP API requests of up to 512 KB" },
  },
} as const satisfies Readonly<Record<string, Price>>;

export type PriceName = keyof typeof prices;
