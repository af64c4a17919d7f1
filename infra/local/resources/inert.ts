/** Types that have nothing to do here beyond being well formed: logs, alarms, dashboards, CDK's own metadata. */
import * as z from "zod";
import { inert, tags } from "./property.ts";
import { arn, defineResource } from "./resource.ts";

export const cdkMetadata = defineResource({
  type: "AWS::CDK::Metadata",
  properties: z.unknown(),
  create: (_, { place }) => ({ ref: place.logicalId, attributes: {} }),
});

export const logGroup = defineResource({
  type: "AWS::Logs::LogGroup",
  properties: z.strictObject({
    LogGroupName: z.string().optional(),
    RetentionInDays: inert,
    KmsKeyId: inert,
    LogGroupClass: inert,
    DeletionProtectionEnabled: inert,
    Tags: tags,
  }),
  create({ LogGroupName: name }, { world, generatedName }) {
    const group = name ?? generatedName;
    return { ref: group, attributes: { Arn: `${arn(world, "logs", `log-group:${group}`)}:*` } };
  },
});

const metricStat = z.strictObject({
  Metric: z.strictObject({
    Namespace: z.string(),
    MetricName: z.string(),
    Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).optional(),
  }),
  Period: z.number(),
  Stat: z.string(),
  Unit: z.string().optional(),
});

export const cloudwatchAlarm = defineResource({
  type: "AWS::CloudWatch::Alarm",
  properties: z
    .strictObject({
      AlarmName: z.string().optional(),
      AlarmDescription: z.string().optional(),
      ComparisonOperator: z.string(),
      EvaluationPeriods: z.number().int().min(1),
      DatapointsToAlarm: z.number().int().min(1).optional(),
      Threshold: z.number(),
      TreatMissingData: z.enum(["breaching", "notBreaching", "ignore", "missing"]).optional(),
      Namespace: z.string().optional(),
      MetricName: z.string().optional(),
      Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).optional(),
      Period: z.number().optional(),
      Statistic: z.string().optional(),
      ExtendedStatistic: z.string().optional(),
      Unit: z.string().optional(),
      Metrics: z
        .array(
          z.strictObject({
            Id: z.string(),
            Expression: z.string().optional(),
            Label: z.string().optional(),
            MetricStat: metricStat.optional(),
            Period: z.number().optional(),
            ReturnData: z.boolean().optional(),
          }),
        )
        .optional(),
      ActionsEnabled: inert,
      AlarmActions: inert,
      OKActions: inert,
      InsufficientDataActions: inert,
      Tags: tags,
    })
    .refine((alarm) => (alarm.MetricName === undefined) !== (alarm.Metrics === undefined), {
      error: "an alarm watches either MetricName or Metrics",
    }),
  create({ AlarmName }, { world, generatedName }) {
    const name = AlarmName ?? generatedName;
    return { ref: name, attributes: { Arn: arn(world, "cloudwatch", `alarm:${name}`) } };
  },
});

const dashboardBody = z.looseObject({ widgets: z.array(z.looseObject({ type: z.string() })) });

export const cloudwatchDashboard = defineResource({
  type: "AWS::CloudWatch::Dashboard",
  properties: z.strictObject({
    DashboardName: z.string().optional(),
    DashboardBody: z.string().refine((text) => dashboardBody.safeParse(JSON.parse(text)).success, {
      error: "not a dashboard: expected JSON with widgets",
    }),
  }),
  create: ({ DashboardName }, { generatedName }) => ({ ref: DashboardName ?? generatedName, attributes: {} }),
});
