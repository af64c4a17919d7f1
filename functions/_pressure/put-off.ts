/** Sends a message again for later: waiting is not failing, and has an end all the same. */
import { retryDelaySeconds } from "@touchstone/core/domain/pressure/retry-delay";
import type { Clock, MessageSender } from "@touchstone/core/ports";
import type { Timing } from "@touchstone/core/timing";

/** What of a message tells how long it has waited at this hop. */
export interface Waiting {
  readonly waits?: number | undefined;
  readonly waitingSince?: number | undefined;
}

export interface PutOffPorts {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly timing: Timing;
}

/** Whether a message has waited for as long as one may. */
export const hasWaitedEnough = ({ waitingSince }: Waiting, { clock, timing }: PutOffPorts): boolean =>
  waitingSince !== undefined && clock() - waitingSince > timing.longestWait * 1000;

/** Comes back after a doubling delay, and no sooner than `asked` seconds. */
export const putOff = <Message extends Waiting>(
  message: Message,
  asked: number | null,
  queue: MessageSender<Message>,
  { clock, random, timing }: PutOffPorts,
): Promise<void> => {
  const waits = message.waits ?? 0;
  return queue.send(
    [{ ...message, waits: waits + 1, waitingSince: message.waitingSince ?? clock() }],
    retryDelaySeconds(waits, timing.retryDelay, asked, random()),
  );
};
