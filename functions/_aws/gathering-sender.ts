/** A message sender that gathers what many callers send at about the same time into few calls; SCORE has one to SETTLE. */
import type { MessageSender } from "@touchstone/core/ports";

export interface GatheringSender<Message> extends MessageSender<Message> {
  /** Runs work that may send. Once nobody's work goes on who could still add something, what is gathered goes out. */
  during<Answer>(work: () => Promise<Answer>): Promise<Answer>;
}

interface Caller<Message> {
  readonly messages: readonly Message[];
  readonly settle: (sent: Promise<void>) => void;
}

export interface GatheringLimits {
  /** So many messages do not wait for more. */
  readonly most: number;
  /** Nobody waits longer for others to come. */
  readonly mostMs: number;
}

/**
 * Each caller hears of its own messages, and only once they are accepted: a gathering that fails is sent again caller
 * by caller.
 */
export const gatheringSender = <Message>(
  sender: MessageSender<Message>,
  { most, mostMs }: GatheringLimits,
): GatheringSender<Message> => {
  let gathered: Caller<Message>[] = [];
  let count = 0;
  /** Works under way that do not wait for a send. */
  let atWork = 0;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    const callers = gathered;
    gathered = [];
    count = 0;
    clearTimeout(timer);
    if (callers.length === 0) return;
    const sent = sender.send(callers.flatMap(({ messages }) => messages));
    if (callers.length === 1) callers[0]?.settle(sent);
    else
      sent.then(
        () => callers.forEach(({ settle }) => void settle(sent)),
        () => callers.forEach(({ messages, settle }) => void settle(sender.send(messages))),
      );
  };
  const rest = (): void => {
    atWork -= 1;
    if (atWork <= 0) flush();
  };

  return {
    async send(messages, delaySeconds) {
      if (messages.length === 0 || delaySeconds !== undefined) return sender.send(messages, delaySeconds);
      if (gathered.length === 0) timer = setTimeout(flush, mostMs);
      const sent = new Promise<void>((settle) => gathered.push({ messages, settle }));
      count += messages.length;
      if (count >= most) flush();
      rest();
      try {
        await sent;
      } finally {
        atWork += 1;
      }
    },
    async during(work) {
      atWork += 1;
      try {
        return await work();
      } finally {
        rest();
      }
    },
  };
};
