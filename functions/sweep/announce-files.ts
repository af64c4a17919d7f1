/** Looks through the inbox for files that no event announced, a stretch at every sweep, and announces them to INTAKE. */
import { isOverdue, lateAnnouncement } from "@touchstone/core/domain/intake/unannounced";
import { batchIdOf, inboxPrefix } from "@touchstone/core/domain/intake/upload-key";
import { resendDue, resentThings } from "@touchstone/core/domain/ledger/resend";
import type { BlobEntry, BlobStore, Clock, Ledger, MessageSender } from "@touchstone/core/ports";
import type { UploadsMessage } from "@touchstone/core/schema/s3-notification";
import type { Timing } from "@touchstone/core/timing";

export interface AnnouncePorts {
  readonly blobs: BlobStore;
  readonly ledger: Ledger;
  readonly uploads: MessageSender<UploadsMessage>;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly uploadsBucket: string;
}

/** One page of a listing; the next sweep goes on after it, so an inbox of any size costs the same at each. */
const keysPerSweep = 1_000;

/** How many files were announced. Only the newest version of a key is seen. */
export const announceFiles = async (ports: AnnouncePorts): Promise<number> => {
  const mark = await ports.ledger.inboxMark();
  let looked = 0;
  let announced = 0;
  let next: string | null = null;
  for await (const entry of ports.blobs.list(ports.uploadsBucket, inboxPrefix, mark ?? undefined)) {
    if (isOverdue(entry, ports.clock(), ports.timing.sweep) && (await announce(entry, ports))) announced += 1;
    looked += 1;
    if (looked < keysPerSweep) continue;
    next = entry.key;
    break;
  }
  if (next !== mark) await ports.ledger.markInbox(next);
  return announced;
};

/** At doubling intervals and five times at most: a file that INTAKE cannot even name must not come for ever. */
const announce = async (entry: BlobEntry, ports: AnnouncePorts): Promise<boolean> => {
  const place = { bucket: ports.uploadsBucket, key: entry.key };
  const head = await ports.blobs.head(place);
  if (head?.versionId === undefined) return false;
  const { versionId } = head;
  const batch = batchIdOf(entry.key, { versionId });
  if ((await ports.ledger.batch(batch, 1)) !== null) return false;
  const now = ports.clock();
  const before = await ports.ledger.resends(batch, 1, resentThings.announcement);
  const { quietAfter } = ports.timing.sweep;
  if (resendDue({ ...before, since: entry.modifiedAt, now, quietAfter }) !== "resend") return false;
  await ports.uploads.send([lateAnnouncement({ ...place, versionId }, entry)]);
  await ports.ledger.noteResend(batch, 1, resentThings.announcement, before.count + 1, now);
  return true;
};
