/** Hands out sequencers that only grow, across restarts and crashes and without trusting the clock. */
import { existsSync } from "node:fs";
import { JsonRecord, writeJsonFile } from "./json-file.ts";

/** Numbers reserved on disk at a time; a crash skips what is left of a block. */
const block = 100_000;
const hexDigits = 18;

export class Sequence {
  readonly #path: string;
  #next: number;
  #reserved: number;

  /** Continues after the last reserved block, or after the clock in microseconds if that is later. */
  constructor(path: string, now: number) {
    this.#path = path;
    this.#reserved = existsSync(path) ? JsonRecord.read(path).number("reserved") : 0;
    this.#next = Math.max(this.#reserved, now * 1000);
  }

  /** The next sequencer: 18 upper-case hex digits, so that text order is number order. */
  next(): string {
    this.#next += 1;
    if (this.#next > this.#reserved) {
      this.#reserved = this.#next + block;
      writeJsonFile(this.#path, { reserved: this.#reserved });
    }
    return this.#next.toString(16).toUpperCase().padStart(hexDigits, "0");
  }
}
