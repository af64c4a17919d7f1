/** `npm run chaos -- --samples 5000 --seed 7 --json`: breaks the embedded pipeline in every way it must survive, and counts. */
import { Command, InvalidArgumentError } from "commander";
import { runChaos } from "./run.ts";

const help = `
What happens, all of it drawn from the seed by sample and message, whatever the order in which things arrive:
  every S3 event is delivered three times, late and out of order
  one message in ten is delivered again while it is in flight
  functions are killed at every point of the write order, and in the middle of picked samples
  the judge throttles (with and without retry-after), stays silent, answers 5xx, a web page, half an answer or nonsense
  S3, SQS and DynamoDB are stopped once in mid-run and started again on the same data directory

Last line of stdout with --json:
  samples, decided            lines submitted; lines with a result line and an outcome in the ledger's bits
  lost                        lines with neither, and lines that SWEEP gave up
  doubleCounted               result lines too many, and what tallies or summary.json count beyond the ledger's bits
  judgeCalls                  requests that reached the judge
  judgeCallsInFlightAtKill    those whose answer could not be stored because SCORE was killed
  judgeCallsForcedByFaults    those that the judge failed on purpose, or that met the restart or a time-out
  duplicateReviewTasks        rows of the review table beyond one for each sample in review
  emfDuplicated               how far an EMF metric adds up to more than the ledger's bits
  killsByPoint                kills by point of the write order
  broken                      every invariant that does not hold, with what and where; exit code 1 if there is any

Durations: every one of the pipeline's table is divided by --time-scale (nothing falls below 1 s), and what a killed
function held becomes visible again as soon as its leases have run out.
`;

const whole = (least: number) => (text: string) => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new InvalidArgumentError(`a whole number from ${least}`);
};

const command = new Command("npm run chaos --")
  .description("Runs the whole embedded pipeline under faults and checks that every sample is accounted for")
  .option("--samples <n>", "lines to submit", whole(100), 5000)
  .option("--seed <n>", "the same seed gives the same faults", whole(0), 7)
  .option("--time-scale <n>", "divides every duration", whole(1), 30)
  .option("--limit <seconds>", "end after so long, decided or not", whole(1), 900)
  .option("--json", "print one JSON object last", false)
  .addHelpText("after", help)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
command.parse();
const given = command.opts<{
  samples: number;
  seed: number;
  timeScale: number;
  limit: number;
  json: boolean;
}>();

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const report = await runChaos({ ...given, say });
for (const line of report.broken) say(`BROKEN: ${line}`);
process.stdout.write(`${JSON.stringify(report, null, given.json ? undefined : 2)}\n`);
process.exit(report.broken.length > 0 ? 1 : 0);
