/** The outputs of the deployed stacks: names of buckets, tables, queues and the review API. Read by connection.ts. */
import { readFile } from "node:fs/promises";
import { type QueueName, queueNames } from "@touchstone/core/pipeline";
import * as z from "zod";
import { failure } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";

/** Stack name → output key → value. */
export type Outputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Places {
  readonly uploadsBucket: string;
  readonly resultsBucket: string;
  readonly tables: Readonly<Record<"ledger" | "samples" | "reviews" | "tasks" | "gists", string>>;
  readonly queues: Readonly<Record<QueueName, { readonly url: string; readonly deadLetters: string }>>;
  readonly reviewApiUrl: string;
  /** By how much time passes faster than in the table of timing; 1 in every deployment. */
  readonly timeScale: number;
}

const outputsSchema = z.record(z.string(), z.record(z.string(), z.string()));

export const readOutputs = async (file: string): Promise<Outputs> => {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw failure(problemWords.noOutputs(file), undefined, error);
  }
  const parsed = outputsSchema.safeParse(value);
  if (!parsed.success) throw failure(problemWords.noOutputs(file), undefined, parsed.error);
  return parsed.data;
};

/** Everything the CLI needs to know; a problem that names the first output which is missing or stands twice. */
export const placesOf = (outputs: Outputs): Places => {
  const value = (key: string): string => {
    const stacks = Object.keys(outputs).filter((stack) => outputs[stack]?.[key] !== undefined);
    const [stack, another] = stacks;
    if (stack === undefined) throw failure(problemWords.missingOutput(key));
    if (another !== undefined) throw failure(problemWords.doubleOutput(key, stack, another));
    return outputs[stack]?.[key] ?? "";
  };
  const queue = (name: QueueName) => {
    const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    return { url: value(`${title}QueueUrl`), deadLetters: value(`${title}DlqUrl`) };
  };
  return {
    uploadsBucket: value("UploadsBucket"),
    resultsBucket: value("ResultsBucket"),
    tables: {
      ledger: value("LedgerTable"),
      samples: value("SamplesTable"),
      reviews: value("ReviewsTable"),
      tasks: value("TasksTable"),
      gists: value("GistsTable"),
    },
    // The object has the very keys of `queueNames`; fromEntries cannot say so in its type.
    queues: Object.fromEntries(queueNames.map((name) => [name, queue(name)])) as Places["queues"],
    reviewApiUrl: value("ReviewApiUrl").replace(/\/+$/, ""),
    timeScale: Math.max(1, Number(Object.values(outputs).find((one) => "TimeScale" in one)?.TimeScale ?? 1)),
  };
};
