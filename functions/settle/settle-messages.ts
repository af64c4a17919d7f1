/** Groups what SETTLE is told by split, so that a split is written once an invocation, and settles each group. */
import { unpackOutcomes } from "@touchstone/core/domain/ledger/pack-outcomes";
import { errorKind } from "@touchstone/core/errors";
import { formatSampleKey } from "@touchstone/core/schema/identity";
import type { SettleEntry, SettleMessage } from "@touchstone/core/schema/messages";
import { type SettlePorts, settleCheck, settleSplit } from "./settle.ts";

export interface MessagePorts extends SettlePorts {
  readonly complain: (group: string, messages: number, error: unknown) => void;
}

interface Received<Message> {
  readonly id: string;
  readonly message: Message;
}

/** Ids of the messages that must come again; what fails for good is complained of and acknowledged. */
export const settleMessages = async (
  received: readonly Received<SettleMessage>[],
  ports: MessagePorts,
): Promise<readonly string[]> => {
  const failed = new Set<string>();
  const entries = received.flatMap(({ id, message }) =>
    unpackOutcomes(message).map((entry) => ({ id, message: entry })),
  );
  for (const [group, members] of Map.groupBy(entries, ({ message }) => groupOf(message))) {
    for (const id of await settleGroup(group, members, ports)) failed.add(id);
  }
  return [...failed];
};

/** A message that can never be settled must not take the others of its split with it: each is then tried alone. */
const settleGroup = async (
  group: string,
  members: readonly Received<SettleEntry>[],
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

/** Entries that belong together: those of a split, and the checks of a batch. */
const groupOf = (message: SettleEntry): string =>
  message.kind === "check"
    ? `check ${message.batch}#${message.run}`
    : formatSampleKey({ ...message.key, ordinal: 0 });
