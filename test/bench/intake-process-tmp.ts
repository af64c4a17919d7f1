/**
 * INTAKE's deployed bundle as a process of its own, so that its memory is its own: `node intake-process.ts BUNDLE`, with
 * the SQS event on stdin. Prints what it measured as its last line. Started by intake.ts.
 */
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/** INTAKE's function time-out. */
const timeoutMs = 900_000;
const sampleMs = 50;

const [bundle = ""] = process.argv.slice(2);
const event: unknown = JSON.parse(await text(process.stdin));
const { handler }: { handler(event: unknown, context: object): Promise<{ batchItemFailures: object[] }> } =
  await import(pathToFileURL(bundle).href);

const samples: { readonly at: number; readonly rss: number }[] = [];
const started = performance.now();
const hi={}; const look = (): void => { const m=process.memoryUsage(); for(const k in m) hi[k]=Math.max(hi[k]??0,Math.round(m[k]/1e6)); if(samples.length%200===199) {console.error(JSON.stringify(hi)); for(const k in hi) hi[k]=0;}
  samples.push({ at: performance.now() - started, rss: process.memoryUsage.rss() });
};
const timer = setInterval(look, sampleMs);
const cpu = process.cpuUsage();
const { batchItemFailures } = await handler(event, {
  getRemainingTimeInMillis: () => timeoutMs - (performance.now() - started),
});
look();
clearInterval(timer);
const { user, system } = process.cpuUsage(cpu);
const milliseconds = performance.now() - started;
const peak = (from: number, to: number): number =>
  Math.max(
    ...samples.filter(({ at }) => at >= milliseconds * from && at <= milliseconds * to).map(({ rss }) => rss),
  );
console.log(
  JSON.stringify({
    failures: batchItemFailures.length,
    seconds: milliseconds / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakRss: peak(0, 1),
    firstQuarterRss: peak(0, 0.25),
    lastQuarterRss: peak(0.75, 1),
  }),
);
process.exit();
