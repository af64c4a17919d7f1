/** Sets that several people have voted on, as the guarantee bench reads them; made by pandalm.ts, llmbar.ts, topical-chat.ts. */
import { readFile } from "node:fs/promises";
import * as z from "zod";

/** Which of two outputs is better, or whether one output has a property. */
export const questionKinds = ["which-of-two", "yes-or-no"] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface VotedText {
  /** Samples about the same thing share it, and are never parted between what a judge learns from and what it judges. */
  readonly group: string;
  /** The instruction, or the conversation so far. */
  readonly asked: string;
  /** What the instruction works on, or the facts that an answer should use; may be empty. */
  readonly source: string;
  /** Two outputs to choose from, or the one in question. */
  readonly outputs: readonly string[];
  /** Shares of the votes for the first output or for yes, and for the second or for no. */
  readonly votes: readonly [number, number];
  /** The answer of most people: 0 for the first output or yes, 1 for the second or no. */
  readonly truth: 0 | 1;
  /** What another machine said before: above 0 speaks for answer 0, below for answer 1. */
  readonly hint: number;
}

export interface VotedSet {
  readonly name: string;
  readonly kind: QuestionKind;
  /** Whether the source is a reference to hold the output against, or part of what was asked. */
  readonly isReference: boolean;
  readonly texts: readonly VotedText[];
}

/** Rows of a JSON list; an error names the file, the row and the field. */
export async function readRows<Row>(file: string, row: z.ZodType<Row>): Promise<Row[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`--data needs the file ${file}`, { cause });
  });
  const read = z.array(row).safeParse(JSON.parse(text));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}
