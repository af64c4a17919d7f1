/** What another process has used so far, as Linux tells it; null elsewhere. */
import { readFile } from "node:fs/promises";

export interface ProcessUsage {
  readonly peakMb: number;
  readonly cpuMs: number;
}

/** `clock ticks` of `/proc` are a hundredth of a second on every Linux that Node runs on. */
const tickMs = 10;

export const processUsage = async (pid: number | undefined): Promise<ProcessUsage | null> => {
  if (process.platform !== "linux" || pid === undefined) return null;
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
  ]);
  const peakKb = Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? Number.NaN);
  // The name, in brackets, may hold blanks; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { peakMb: Math.round(peakKb / 1024), cpuMs: ticks * tickMs };
};
