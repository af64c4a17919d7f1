/** Takes up a file whose reading stopped half-way; what cannot be read in five attempts is sealed with the fault. */

import { creationEvent } from "@touchstone/core/domain/intake/creation-event";
import { replayRequest } from "@touchstone/core/domain/intake/replay";
import { checkMessageOf } from "@touchstone/core/domain/ledger/batch";
import type { Ledger, MessageSender } from "@touchstone/core/ports";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { SettleEntry } from "@touchstone/core/schema/messages";
import type { UploadsMessage } from "@touchstone/core/schema/s3-notification";

export interface FilePorts {
  readonly ledger: Ledger;
  readonly uploads: MessageSender<UploadsMessage>;
  readonly settle: MessageSender<SettleEntry>;
}

/** INTAKE goes on where it left off. */
export const resendFile = (batch: BatchRecord, ports: FilePorts): Promise<void> =>
  ports.uploads.send([
    batch.replays ? replayRequest(batch.batch, batch.run, batch.replays) : creationEvent(batch),
  ]);

/** The splits that stand are all there will be; their samples are then sent again or given up like any others. */
export const sealUnread = async (batch: BatchRecord, now: number, ports: FilePorts): Promise<void> => {
  let splits = 0;
  let samples = 0;
  for (;;) {
    const split = await ports.ledger.split(batch.batch, batch.run, splits);
    if (!split) break;
    splits += 1;
    samples += split.samples;
  }
  const fault = "the file could not be read to its end, also after five attempts; what follows is not scored";
  await ports.ledger.seal(batch.batch, batch.run, { splits, samples, at: now }, fault);
  await ports.settle.send([checkMessageOf(batch)]);
};
