/** Calendar months of any time zone as windows of instants, the same on every machine. The finance report cuts by them. */

/** A month of the calendar; `month` from 1 to 12. */
export interface Month {
  readonly year: number;
  readonly month: number;
}

/** Epoch milliseconds from `start`, and up to but not with `end`. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

const day = 86_400_000;

/** Reads `2026-11`, from 1970 to 9999; null for anything else. */
export const parseMonth = (text: string): Month | null => {
  const [, year, month] = /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === undefined || month === undefined ? null : { year: Number(year), month: Number(month) };
};

/** `2026-11`. */
export const formatMonth = ({ year, month }: Month): string => `${year}-${String(month).padStart(2, "0")}`;

/** The name of a time zone as it is spelled; null where there is none of it, and for what only looks like one. */
export const zoneNamed = (name: string): string | null => {
  // An offset is no place, and an abbreviation is several: CST is the time of Shanghai and of Chicago.
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name) || /^(?!utc$|gmt$)[a-z]{1,3}$/i.test(name)) return null;
  try {
    const { timeZone } = clockOf(name).resolvedOptions();
    // The resolved name may be an older one of the same place.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** A month in a zone that {@link zoneNamed} knows. One month ends where the next one starts. */
export const monthWindow = (month: Month, zone: string): Window => ({
  start: startOf(month, zone),
  end: startOf(
    month.month === 12 ? { year: month.year + 1, month: 1 } : { ...month, month: month.month + 1 },
    zone,
  ),
});

/** The month in which an instant (epoch milliseconds) falls. */
export const monthOf = (at: number, zone: string): Month => {
  const local = new Date(at + offsetAt(at, clockOf(zone)));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1 };
};

/**
 * The first instant at which the zone's clocks show midnight of the 1st. Where they skip it, the instant at which they
 * do; where they show it twice, the first.
 */
const startOf = ({ year, month }: Month, zone: string): number => {
  const clock = clockOf(zone);
  const midnight = Date.UTC(year, month - 1, 1);
  // No zone changes its clocks twice within two days.
  const before = midnight - offsetAt(midnight - day, clock);
  const after = midnight - offsetAt(midnight + day, clock);
  const shown = [before, after].filter((at) => at + offsetAt(at, clock) === midnight);
  return shown.length > 0 ? Math.min(...shown) : before;
};

const clockOf = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });

/** What the zone's clocks are ahead of UTC, in milliseconds. */
const offsetAt = (at: number, clock: Intl.DateTimeFormat): number => {
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return shown - Math.floor(at / 1000) * 1000;
};
