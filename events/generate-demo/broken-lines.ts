/** Lines that are broken on purpose, put into the fresh batches; events/poison/expected.yaml says what becomes of them. */
import type { Sample } from "@touchstone/core/schema/sample";
import { entry, items, material, text } from "./material.ts";

export const brokenBatches = ["shop-dialogue", "poster-brief", "quiz-exact"] as const;
export type BrokenBatch = (typeof brokenBatches)[number];

/** What must become of a broken line; a blank line has no outcome. */
export interface Expected {
  readonly file: string;
  readonly line: number;
  readonly id?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly why: string;
}
export interface BrokenFile {
  readonly jsonLines: string;
  readonly expected: readonly Expected[];
}

/** The batch file: good samples one a line, with the task's broken lines before the positions that they name. */
export function withBrokenLines(batch: BrokenBatch, file: string, good: readonly Sample[]): BrokenFile {
  const broken = items(entry(material("broken-lines"), batch));
  const lines: string[] = [];
  const expected: Expected[] = [];
  for (const [index, sample] of [...good, null].entries()) {
    for (const node of broken.filter((one) => Number(text(entry(one, "before"))) === index)) {
      lines.push(text(entry(node, "line")));
      const at = (key: string): string => text(entry(node, key), "").replace("{n}", String(lines.length));
      expected.push({
        file,
        line: lines.length,
        ...(at("outcome") === "" ? {} : { id: at("id"), outcome: at("outcome"), reason: at("reason") }),
        why: at("why"),
      });
    }
    if (sample) lines.push(JSON.stringify(sample));
  }
  if (expected.length !== broken.length) {
    throw new Error(`${batch}: a broken line stands behind position ${good.length}, the last one`);
  }
  return { jsonLines: lines.map((line) => `${line}\n`).join(""), expected };
}
