/** Topical chat with the scores of UniEval: a reply to a conversation, with facts to draw on. Read for guarantee.ts. */
import { join } from "node:path";
import * as z from "zod";
import { readRows, type VotedSet } from "./voted-text.ts";

/** Its two questions that three people answered with yes or no; of the graded ones only the mean is known, and no majority. */
export const topicalQuestions = ["groundedness", "understandability"] as const;
export type TopicalQuestion = (typeof topicalQuestions)[number];

const share = z.number().min(0).max(1);
const rowSchema = z.object({
  source: z.string(),
  context: z.string(),
  system_output: z.string(),
  scores: z.object({ groundedness: share, understandability: share }),
});

export async function topicalChat(dataDir: string, question: TopicalQuestion): Promise<VotedSet> {
  const rows = await readRows(join(dataDir, "unieval/topical_chat.json"), rowSchema);
  return {
    name: `topical-chat/${question}`,
    kind: "yes-or-no",
    isReference: true,
    texts: rows.map(({ source, context, system_output: output, scores }) => ({
      group: source,
      asked: source.trim(),
      source: context,
      outputs: [output],
      votes: [scores[question], 1 - scores[question]],
      truth: scores[question] > 0.5 ? 0 : 1,
      hint: 0,
    })),
  };
}
