/** EventBridge schedules: calls a function at a fixed rate with the event that EventBridge would send. */
import { randomUUID } from "node:crypto";

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Period of a `rate(5 minutes)` expression in milliseconds; `undefined` for what is no rate expression. */
export function ratePeriodMs(expression: string): number | undefined {
  const match = expression.match(/^rate\((\d+) (minute|hour|day)s?\)$/);
  const unit = unitMs[match?.[2] ?? ""];
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit;
}

export interface Schedule {
  stop(): void;
}

export interface ScheduleSettings {
  readonly ruleArn: string;
  readonly periodMs: number;
  readonly region: string;
  /** The target's own constant input, as JSON text; the scheduled event otherwise. */
  readonly input?: string | undefined;
  readonly invoke: (payload: string) => void;
}

/** Starts the schedule; the first call comes one period from now, as in EventBridge. */
export function startSchedule(settings: ScheduleSettings): Schedule {
  const timer = setInterval(
    () => settings.invoke(settings.input ?? scheduledEvent(settings)),
    settings.periodMs,
  );
  return { stop: () => clearInterval(timer) };
}

function scheduledEvent({ ruleArn, region }: ScheduleSettings): string {
  return JSON.stringify({
    version: "0",
    id: randomUUID(),
    "detail-type": "Scheduled Event",
    source: "aws.events",
    account: "000000000000",
    time: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    region,
    resources: [ruleArn],
    detail: {},
  });
}
