/** Groups SETTLE's messages by split, so that a split is written once an invocation, and settles each group. */
import { errorKind } from "@touchstone/core/errors";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import type { SettleMessage } from "@touchstone/core/schema/messages";
import { type SettlePorts, settleCheck, settleSplit } from "./settle.ts";

export interface MessagePorts extends SettlePorts {
  readonly complain: (group: string, messages: number, error: unknown) => void;
}

interface Received {
  readonly id: string;
  readonly message: SettleMessage;
}

/** Ids of the messages that must come again; what fails for good is complained of and acknowledged. */
export const settleMessages = async (
  received: readonly Received[],
  ports: MessagePorts,
): Promise<readonly string[]> => {
  const failed: string[] = [];
  for (const [group, members] of Map.groupBy(received, ({ message }) => groupOf(message))) {
    failed.push(...(await settleGroup(group, members, ports)));
  }
  return failed;
};

/** A message that can never be settled must not take the others of its split with it: each is then tried alone. */
const settleGroup = async (
  group: string,
  members: readonly Received[],
  ports: MessagePorts,
): Promise<readonly string[]> => {
  const [first, ...others] = members;
  if (!first) return [];
  try {
    if (first.message.kind === "check") await settleCheck(first.message, ports);
    else
      await settleSplit(
        members.flatMap(({ message }) => (message.kind === "check" ? [] : [message])),
        ports,
      );
    return [];
  } catch (error) {
    const isTransient = errorKind(error) === "transient";
    if (isTransient || others.length === 0) {
      ports.complain(group, members.length, error);
      return isTransient ? members.map(({ id }) => id) : [];
    }
    const failed: string[] = [];
    for (const member of members) failed.push(...(await settleGroup(group, [member], ports)));
    return failed;
  }
};

/** Messages that belong together: those of a split, and the checks of a batch. */
const groupOf = (message: SettleMessage): string =>
  message.kind === "check"
    ? `check ${message.batch}#${message.run}`
    : formatSampleKey({ ...message.key, ordinal: 0 });
