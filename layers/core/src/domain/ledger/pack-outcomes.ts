/** Puts outcomes into few messages for SETTLE. All hops that tell SETTLE of outcomes send them through here. */
import type { OutcomeMessage, SettleEntry, SettleMessage } from "../../schema/messages.ts";

/** SETTLE has the outcomes of ten messages in hand at a time, and all of a message come again if one of them fails. */
export const mostOutcomes = 25;
/** SQS asks as much for a message as for each further piece of it of 64 KiB; escapes make JSON a little longer on the way. */
const mostBytes = 60 * 1024;

/** Outcomes in their order, at most 25 and 60 KiB a message; a larger one, and all that is no outcome, stays as it is. */
export const packOutcomes = (entries: readonly SettleEntry[]): readonly SettleMessage[] => {
  const packed: SettleMessage[] = [];
  let pack: OutcomeMessage[] = [];
  let bytes = 0;
  const close = (): void => {
    const [first, ...others] = pack;
    if (first) packed.push(others.length === 0 ? first : { kind: "outcomes", schema: 1, outcomes: pack });
    pack = [];
    bytes = 0;
  };
  for (const entry of entries) {
    if (entry.kind !== "outcome") {
      packed.push(entry);
      continue;
    }
    const own = new TextEncoder().encode(JSON.stringify(entry)).length;
    if (pack.length === mostOutcomes || bytes + own > mostBytes) close();
    pack.push(entry);
    bytes += own;
  }
  close();
  return packed;
};

/** The way back. */
export const unpackOutcomes = (message: SettleMessage): readonly SettleEntry[] =>
  message.kind === "outcomes" ? message.outcomes : [message];
