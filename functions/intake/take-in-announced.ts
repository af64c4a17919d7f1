/** Takes in every file that one upload message announces; a file that fails never hides its neighbours. */
import { type Announcement, announcements } from "@touchstone/core/domain/intake/arrival";
import { replayArrival } from "@touchstone/core/domain/intake/replay";
import { errorKind } from "@touchstone/core/errors";
import type { BatchRecord } from "@touchstone/core/schema/ledger";
import type { UploadsMessage } from "@touchstone/core/schema/s3-notification";
import { type IntakePorts, takeIn } from "./intake.ts";

export interface AnnouncedPorts extends IntakePorts {
  readonly tell: (announcement: PassedOver | TakenIn) => void;
}
type Work = Extract<Announcement, { kind: "batch" | "replay" }>;
type PassedOver = Exclude<Announcement, Work>;
export interface TakenIn {
  readonly kind: "taken-in";
  readonly batch: BatchRecord;
}

/** Throws after the last file: a transient error rather than a permanent one, so that the message comes again. */
export const takeInAnnounced = async (message: UploadsMessage, ports: AnnouncedPorts): Promise<void> => {
  const failures: unknown[] = [];
  for (const announcement of announcements(message, ports.clock())) {
    if (announcement.kind !== "batch" && announcement.kind !== "replay") {
      ports.tell(announcement);
      continue;
    }
    try {
      ports.tell({ kind: "taken-in", batch: await takeIn(await arrivalOf(announcement, ports), ports) });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures.find((error) => errorKind(error) === "transient") ?? failures[0];
};

const arrivalOf = async (announced: Work, { ledger, clock }: IntakePorts): Promise<BatchRecord> => {
  if (announced.kind === "batch") return announced.batch;
  const { request } = announced;
  return replayArrival(request, await ledger.batch(request.batch, request.replays.run), clock());
};
