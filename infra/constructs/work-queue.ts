/** A queue with its dead-letter queue and their alarms; no queue exists without them. */
import { CfnOutput, Duration } from "aws-cdk-lib";
import type { Alarm } from "aws-cdk-lib/aws-cloudwatch";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { RunbookAlarm } from "./runbook-alarm.ts";

/** Throttled deliveries count as receives, so a message may come back a few times without having been tried. */
const maxReceiveCount = 5;
/** The most that SQS allows, and more than any work queue keeps. */
const deadLetterRetention = Duration.days(14);

export interface WorkQueueProps {
  /** In outputs: `<name>QueueUrl` and `<name>DlqUrl`. */
  readonly name: string;
  readonly visibility: Duration;
  readonly retention: Duration;
  /** A message older than this sounds the alarm. */
  readonly alarmAge: Duration;
  readonly alarmTopicArn: string | undefined;
}

export class WorkQueue extends Construct {
  readonly name: string;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, props: WorkQueueProps) {
    super(scope, `${props.name}Queue`);
    const { name, alarmTopicArn: topicArn } = props;
    this.name = name;
    this.deadLetters = new Queue(this, "DeadLetters", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: deadLetterRetention,
    });
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: props.visibility,
      retentionPeriod: props.retention,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
    const period = Duration.minutes(5);
    const deadLetterAlarm = new RunbookAlarm(this, "DeadLetterAlarm", {
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
      above: 0,
      what: `${name}: messages failed ${maxReceiveCount} times and lie in the dead-letter queue.`,
      article: "messages-in-a-dead-letter-queue",
      topicArn,
    });
    const ageAlarm = new RunbookAlarm(this, "AgeAlarm", {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period, statistic: "Maximum" }),
      above: props.alarmAge.toSeconds(),
      what: `${name}: the oldest message has waited more than ${props.alarmAge.toHumanString()}.`,
      article: "a-queue-grows-old",
      topicArn,
    });
    this.alarms = [deadLetterAlarm.alarm, ageAlarm.alarm];
    new CfnOutput(scope, `${name}QueueUrl`, { value: this.queue.queueUrl });
    new CfnOutput(scope, `${name}DlqUrl`, { value: this.deadLetters.queueUrl });
  }
}
