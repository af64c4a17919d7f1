/** `touchstone see`: what pictures and videos become on their way to the judge, and what the captioner says of them. */
import { timing } from "@touchstone/core/timing";
import type { Command } from "commander";
import { ffmpegVideoReader, findFfmpeg } from "../../../functions/_aws/ffmpeg-video-reader.ts";
import { sharpNormaliser } from "../../../functions/_aws/sharp-normaliser.ts";
import { FaultsFound } from "../problem.ts";
import { seenPage } from "../render/seen-page.ts";
import { renderSeen } from "../render/seen-text.ts";
import { createReport, type Report, type ReportOptions } from "../report.ts";
import { filesToSee, type SeenFile, seeFiles } from "../see-files.ts";
import { openSeeingModels, type SeeingModels } from "../seeing-models.ts";
import type { Shell } from "../shell.ts";
import { seeWords } from "../words/see-words.ts";
import { writeWhole } from "../write-whole.ts";

/** Of one pass through a video, as DESCRIBE allows it. */
const decodeMs = (timing().functionTimeout.describe * 1000) / 4;

interface SeeOptions extends ReportOptions {
  readonly html?: string;
}

export const addSee = (program: Command, shell: Shell): void => {
  program
    .command("see")
    .description("what was done to pictures, how they are described and in which words; needs no stack")
    .argument("<file|dir>", "one file, or a folder whose pictures and videos are looked at, at any depth")
    .option("--html <file>", "write a page that shows pictures and words side by side")
    .option("--lang <zh|en>", "language of what is printed, and of the descriptions (default: by $LANG)")
    .option("--json", "print one JSON object as the last line of stdout, all else to stderr")
    .addHelpText(
      "after",
      `
The models are those of $CAPTIONER_URL (with $CAPTIONER_MODEL) and $STRATEGY_URL (the address of the model's container,
or sagemaker:ENDPOINT); where one is not set, the embedded one is started. The exit code is 1 where a model failed.

Examples:
  npm run touchstone -- see photo.jpg
  npm run touchstone -- see screenshots --html seen.html --lang zh`,
    )
    .action(async (given: string, options: SeeOptions) => {
      const report = createReport(shell, options);
      const files = await filesToSee(given);
      const words = seeWords[report.language];
      report.note(words.starting);
      const models = await openSeeingModels(shell.env, (source, line) => {
        if (shell.env.TOUCHSTONE_DEBUG) report.note(`${source}: ${line}`);
      });
      const seen: SeenFile[] = [];
      try {
        const ffmpeg = findFfmpeg();
        const videos = ffmpeg === null ? undefined : ffmpegVideoReader(ffmpeg, decodeMs, Date.now);
        const ports = { ...models, videos, normaliser: sharpNormaliser() };
        for await (const one of seeFiles(files, report.language, ports)) {
          seen.push(one);
          report.note(words.looking(seen.length, files.files.length, one.file));
          report.say(`${renderSeen(one, report)}\n`);
        }
      } finally {
        await models.stop();
      }
      await tell(seen, files.others, models, options.html, report);
    });
};

const tell = async (
  seen: readonly SeenFile[],
  others: number,
  models: SeeingModels,
  page: string | undefined,
  report: Report,
): Promise<void> => {
  const words = seeWords[report.language];
  const gists = seen.flatMap(({ seen: one }) => (one.kind === "gist" ? [one] : []));
  const failed = seen.filter((one) => one.seen.kind === "failed").length;
  const flagged = gists.filter(({ gist }) => gist.flags.length > 0).length;
  const summary = words.total(seen.length, flagged, seen.length - gists.length - failed, failed);
  const named = (name: string, isEmbedded: boolean): string =>
    isEmbedded ? `${name} (${words.embedded})` : name;
  const modelLines = words.models(
    named(gists[0]?.choice.model ?? "–", models.embedded.strategy),
    named(gists[0]?.gist.captioner ?? models.captioner.model, models.embedded.captioner),
  );
  report.say(modelLines);
  report.say(summary);
  if (others > 0) report.say(words.others(others));
  if (page !== undefined) {
    await writeWhole(page, seenPage(seen, { language: report.language, summary, models: modelLines }));
    report.say(words.page(page));
  }
  report.answer({ pictures: seen.map(forPrograms), others, failed, embedded: models.embedded });
  if (failed > 0) throw new FaultsFound();
};

const forPrograms = ({ file, bytes, ms, seen }: SeenFile): object => {
  switch (seen.kind) {
    case "gist": {
      const { gist, choice, shown } = seen;
      return {
        ...{ file, bytes, ms, kind: seen.kind },
        done: gist.notes ?? [],
        shown: shown.map((piece) => ({ mediaType: piece.mediaType, bytes: piece.bytes.byteLength })),
        probabilities: choice.probabilities,
        gist,
      };
    }
    case "problem":
      return { file, bytes, ms, kind: seen.kind, problem: seen.problem };
    case "failed":
      return { file, bytes, ms, kind: seen.kind, message: seen.message };
    default:
      return seen satisfies never;
  }
};
