/** Writes whose events may not have reached their queues: noted before an object appears, so that no crash loses an event. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { JsonRecord, writeJsonFile } from "./json-file.ts";
import { type ObjectCreatedEvent, objectCreatedEvents } from "./notification-rule.ts";

export interface UnannouncedWrite {
  readonly bucket: string;
  readonly key: string;
  readonly event: ObjectCreatedEvent;
  /** Sequencer of the version before it, "" if it was the first: what came later may be unannounced. */
  readonly after: string;
  readonly caller: string;
  readonly requestId: string;
}

export class Unannounced {
  readonly #directory: string;
  #written = 0;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  /** Returns what to call once the queues have heard, or the write was refused. */
  note(write: UnannouncedWrite): () => void {
    this.#written += 1;
    const path = join(this.#directory, `${process.pid}-${this.#written}.json`);
    writeJsonFile(path, write);
    return () => rmSync(path);
  }

  /** What an earlier run left, each with what to call once it is done with. */
  *left(): Generator<{ readonly write: UnannouncedWrite; readonly forget: () => void }> {
    for (const name of readdirSync(this.#directory)) {
      const path = join(this.#directory, name);
      // A draft: its object had not appeared yet.
      if (name.endsWith(".json")) yield { write: read(path), forget: () => rmSync(path) };
      else rmSync(path);
    }
  }
}

function read(path: string): UnannouncedWrite {
  const record = JsonRecord.read(path);
  return {
    bucket: record.text("bucket"),
    key: record.text("key"),
    event: record.oneOf("event", objectCreatedEvents),
    after: record.text("after"),
    caller: record.text("caller"),
    requestId: record.text("requestId"),
  };
}
