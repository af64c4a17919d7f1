/** The way to SETTLE: outcomes that are sent together share messages. */
import { packOutcomes } from "@touchstone/core/domain/ledger/pack-outcomes";
import type { MessageSender } from "@touchstone/core/ports";
import type { SettleEntry, SettleMessage } from "@touchstone/core/schema/messages";

export const outcomeSender = (sender: MessageSender<SettleMessage>): MessageSender<SettleEntry> => ({
  send: (entries, delaySeconds) => sender.send(packOutcomes(entries), delaySeconds),
});
