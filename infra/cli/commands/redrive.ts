/** `touchstone redrive QUEUE`: sends messages of a dead-letter queue back to where they failed, or shows them. */
import { type QueueName, queueNames } from "@touchstone/core/pipeline";
import type { Command } from "commander";
import type { Connection } from "../connection.ts";
import type { DeadLetter } from "../dead-letters.ts";
import { usage } from "../problem.ts";
import { moment, size } from "../render/figures.ts";
import { printableLine } from "../render/printable.ts";
import { renderTable } from "../render/table.ts";
import { connected, type Report, type ReportOptions, withReportOptions } from "../report.ts";
import type { Shell } from "../shell.ts";
import { problemWords } from "../words/problem-words.ts";
import { redriveProblems, redriveWords } from "../words/redrive-words.ts";

interface RedriveOptions extends ReportOptions {
  readonly max?: string;
  readonly dryRun?: boolean;
}

const shownByDefault = 20;

export const addRedrive = (program: Command, shell: Shell): void => {
  withReportOptions(
    program
      .command("redrive")
      .description("send the messages of a dead-letter queue back to their queue, or look at them")
      .argument("<queue>", queueNames.join(", "))
      .option("--max <n>", "at most so many (default: all that lie there; 20 with --dry-run)")
      .option("--dry-run", "only show what lies there: ids, receives, times; never the text of a sample"),
  )
    .addHelpText(
      "after",
      `
Examples:
  npm run touchstone -- redrive score --dry-run
  npm run touchstone -- redrive score --max 10
  npm run touchstone -- redrive settle --json`,
    )
    .action(async (asked: string, options: RedriveOptions) => {
      const queue = queueNames.find((name) => name === asked);
      if (queue === undefined) throw usage(redriveProblems.unknownQueue(asked, queueNames));
      if (options.max !== undefined && !/^[1-9]\d{0,8}$/.test(options.max))
        throw usage(problemWords.notANumber("--max", options.max));
      const most = options.max === undefined ? undefined : Number(options.max);
      await connected(shell, options, (connection, report) =>
        options.dryRun === true
          ? show(connection, report, queue, most ?? shownByDefault)
          : redrive(connection, report, queue, most),
      );
    });
};

const show = async (
  connection: Connection,
  report: Report,
  queue: QueueName,
  most: number,
): Promise<void> => {
  const words = redriveWords[report.language];
  const counted = (await connection.queueDepths())[queue].dead;
  // On AWS the count may lag behind: one look is worth it even where it says zero.
  const messages = await connection.peekDeadLetters(queue, Math.min(most, Math.max(counted, 1)));
  const dead = Math.max(counted, messages.length);
  if (messages.length === 0) report.say(words.none(queue));
  else {
    report.say(renderDeadLetters(messages, report));
    if (messages.length < dead) report.say(words.more(messages.length, dead));
    report.say(words.hint(queue));
  }
  report.answer({ queue, dead, messages });
};

/** What fails again while others are moved comes back here, so the number that lay there at the start is the limit. */
const redrive = async (
  connection: Connection,
  report: Report,
  queue: QueueName,
  asked: number | undefined,
): Promise<void> => {
  const words = redriveWords[report.language];
  const { dead } = (await connection.queueDepths())[queue];
  const most = Math.min(asked ?? dead, dead);
  const { moved, refused, twice } = await connection.redrive(queue, most, (count) =>
    report.note(words.moving(count, most)),
  );
  if (dead === 0) report.say(words.none(queue));
  else report.say(words.moved(queue, moved));
  if (refused.length > 0) report.say(words.refused(refused.length));
  for (const { messageId, code } of refused) report.say(`  ${messageId}  ${printableLine(code)}`);
  if (twice > 0) report.say(words.twice(twice));
  report.answer({ queue, moved, refused, twice, left: dead - moved });
};

const renderDeadLetters = (
  messages: readonly DeadLetter[],
  { language, colors }: Pick<Report, "language" | "colors">,
): string => {
  const { columns, unknownMessage } = redriveWords[language];
  return renderTable(
    [
      { title: columns.message },
      { title: columns.receives, align: "right" },
      { title: columns.first },
      { title: columns.size, align: "right" },
      { title: columns.about },
    ],
    messages.map(({ messageId, receives, firstReceivedAt, bytes, about }) => [
      messageId,
      String(receives),
      firstReceivedAt === null ? "–" : moment(firstReceivedAt),
      size(bytes),
      printableLine(about ?? unknownMessage),
    ]),
    colors.dim,
  );
};
