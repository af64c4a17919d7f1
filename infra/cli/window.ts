/** The option that says how far back a command looks. */
import type { Command } from "commander";
import { usage } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";

export const withWindow = (command: Command): Command =>
  command.option("--days <n>", "look at batches that arrived in the last n days", "30");

/** Epoch milliseconds. */
export const daysBefore = (asked: string, now: number): number => {
  if (!/^[1-9]\d{0,3}$/.test(asked)) throw usage(problemWords.notANumber("--days", asked));
  return now - Number(asked) * 86_400_000;
};
