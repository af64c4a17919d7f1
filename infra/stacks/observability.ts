/** One dashboard: what finance asks first, then where work waits, then what fails. */
import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  SingleValueWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { Config } from "../config.ts";
import type { PipelineStack } from "./pipeline.ts";

export interface ObservabilityStackProps extends StackProps {
  readonly config: Config;
  readonly pipeline: PipelineStack;
}

export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { config, pipeline, ...props }: ObservabilityStackProps) {
    super(scope, id, props);
    const dashboard = new Dashboard(this, "Dashboard", { dashboardName: `touchstone-${config.stage}` });
    const queues = Object.values(pipeline.queues);
    const minutes = Duration.minutes(5);
    dashboard.addWidgets(...machineReviewWidgets());
    dashboard.addWidgets(
      graph(
        "Machine answers, certified and all",
        ["Machine", "Certified"].map((name) => counted(name, minutes)),
      ),
      graph(
        "Samples lost to people, by cause",
        lostTo.map((name) => counted(name, minutes)),
      ),
      graph("Certificates voided", [counted("CertificatesVoided", minutes)]),
    );
    dashboard.addWidgets(
      graph(
        "Age of the oldest message (s)",
        queues.map(({ name, queue }) =>
          queue.metricApproximateAgeOfOldestMessage({
            period: minutes,
            statistic: "Maximum",
            label: name,
          }),
        ),
      ),
      graph(
        "Messages waiting",
        queues.map(({ name, queue }) =>
          queue.metricApproximateNumberOfMessagesVisible({ period: minutes, label: name }),
        ),
      ),
      graph(
        "Dead letters",
        queues.map(({ name, deadLetters }) =>
          deadLetters.metricApproximateNumberOfMessagesVisible({ period: minutes, label: name }),
        ),
      ),
    );
    dashboard.addWidgets(
      graph(
        "Function errors",
        pipeline.hops.map((hop) => hop.function.metricErrors({ period: minutes, label: hop.node.id })),
      ),
      graph(
        "Function duration (ms, 95th percentile)",
        pipeline.hops.map((hop) =>
          hop.function.metricDuration({ period: minutes, statistic: "p95", label: hop.node.id }),
        ),
      ),
      new AlarmStatusWidget({
        title: "Alarms",
        width: 8,
        height: 6,
        alarms: queues.flatMap((queue) => queue.alarms),
      }),
    );
  }
}

/** Metrics are emitted without dimensions, by SETTLE alone, after its conditional write. */
const counted = (metricName: string, period: Duration): Metric =>
  new Metric({ namespace: "Touchstone", metricName, period, statistic: "Sum" });

/** SETTLE's metrics of why people had to answer. */
const lostTo = [
  "LostLowConfidence",
  "LostMissingLogprobs",
  "LostFormat",
  "LostVeto",
  "LostPolicy",
  "LostNoCertificate",
] as const;

/** The machine-review rate: machine ÷ (samples − invalid), in percent. */
const machineReviewRate = (period: Duration): MathExpression =>
  new MathExpression({
    label: "machine-review rate (%)",
    // Nothing to divide by means no rate, not a rate of zero.
    expression: "IF(samples - invalid > 0, 100 * machine / (samples - invalid))",
    usingMetrics: {
      machine: counted("Machine", period),
      samples: counted("Samples", period),
      invalid: counted("Invalid", period),
    },
    period,
  });

const machineReviewWidgets = (): readonly IWidget[] => [
  new SingleValueWidget({
    title: "Machine-review rate, last 24 hours",
    width: 8,
    height: 6,
    metrics: [machineReviewRate(Duration.days(1)), counted("Samples", Duration.days(1))],
  }),
  new GraphWidget({
    title: "Machine-review rate (%)",
    width: 8,
    height: 6,
    left: [machineReviewRate(Duration.hours(1))],
    leftYAxis: { min: 0, max: 100 },
  }),
  new GraphWidget({
    title: "Samples by outcome",
    width: 8,
    height: 6,
    stacked: true,
    left: ["Machine", "Review", "Invalid", "Failed"].map((name) => counted(name, Duration.minutes(5))),
  }),
];

const graph = (title: string, left: IMetric[]): GraphWidget =>
  new GraphWidget({ title, width: 8, height: 6, left });
