/** An alarm that says what to do: its text names the README's runbook article. */
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

/** Anchors of the articles in README.md: their headings, in lower case and with hyphens. */
export const runbookArticles = [
  "messages-in-a-dead-letter-queue",
  "a-queue-grows-old",
  "a-function-fails",
  "a-certificate-is-void",
] as const;
export type RunbookArticle = (typeof runbookArticles)[number];

export interface RunbookAlarmProps {
  readonly metric: IMetric;
  /** Sounds above this value. */
  readonly above: number;
  readonly what: string;
  readonly article: RunbookArticle;
  readonly topicArn: string | undefined;
}

export class RunbookAlarm extends Construct {
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, { metric, above, what, article, topicArn }: RunbookAlarmProps) {
    super(scope, id);
    this.alarm = new Alarm(this, "Alarm", {
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // A queue that nobody touches reports nothing; that is no reason to wake somebody.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${what} What to do: README.md#${article}`,
    });
    if (topicArn !== undefined)
      this.alarm.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, "Topic", topicArn)));
  }
}
