/** Reads recorded judge answers: one chat completion a line, or the lines that OpenAI's and vLLM's batch tools write. */
import { readFile } from "node:fs/promises";
import type { ChatCompletion } from "@touchstone/core/schema/chat";
import * as z from "zod";
import { readCompletion } from "../../functions/_aws/chat-protocol.ts";
import { failure } from "./problem.ts";
import { scoreProblems } from "./words/score-words.ts";

/** A line of a batch tool's output: the answer to the request of that id. */
const batchLineSchema = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ body: z.unknown() }).nullable(),
});

export interface RecordedAnswers {
  readonly count: number;
  /** The completion for a sample: by id where the lines name one, else the next that nobody took. */
  take(sampleId: string): ChatCompletion | null;
}

/** A line that is no completion is a problem that names it; blank lines do not count. */
export const readAnswers = async (file: string): Promise<RecordedAnswers> => {
  const inOrder: ChatCompletion[] = [];
  const byId = new Map<string, ChatCompletion>();
  for (const [index, line] of (await textOf(file)).split("\n").entries()) {
    if (line.trim() === "") continue;
    const { id, completion } = answerOf(line, file, index + 1);
    if (id === null) inOrder.push(completion);
    else byId.set(id, completion);
  }
  return {
    count: inOrder.length + byId.size,
    take: (sampleId) => byId.get(sampleId) ?? inOrder.shift() ?? null,
  };
};

const textOf = async (file: string): Promise<string> => {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw failure(scoreProblems.unreadable(file), undefined, error);
  }
};

const answerOf = (line: string, file: string, number: number) => {
  const where = `${file}: line ${number}`;
  try {
    const batch = batchLineSchema.safeParse(JSON.parse(line));
    if (!batch.success) return { id: null, completion: readCompletion(line, where) };
    const body = batch.data.response?.body ?? null;
    return { id: batch.data.custom_id, completion: readCompletion(JSON.stringify(body), where) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failure(scoreProblems.badAnswer(where, why.replace(`${where} `, "")), undefined, error);
  }
};
