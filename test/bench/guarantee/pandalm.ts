/** PandaLM's test set: which of two answers to an instruction three people prefer. Read for guarantee.ts. */
import { join } from "node:path";
import * as z from "zod";
import { readRows, type VotedSet, type VotedText } from "./voted-text.ts";

/** 1: the first answer, 2: the second, 0: a tie. */
const vote = z.union([z.literal(0), z.literal(1), z.literal(2)]);
/** "True." became a JSON truth value in some rows. */
const answer = z.union([z.string(), z.boolean()]).transform(String);
const rowSchema = z.object({
  idx: z.int(),
  instruction: z.string(),
  input: z.string(),
  response1: answer,
  response2: answer,
  annotator1: vote,
  annotator2: vote,
  annotator3: vote,
});
type Row = z.infer<typeof rowSchema>;

/** What GPT-3.5 was recorded to answer to the same questions; "1" or "2", anything else is no preference. */
const recordedSchema = z.object({ idx: z.int(), gpt_result: z.string() });

/**
 * Rows that most people call a tie are left out: the judge is asked for one of two. `withRecorded` gives the judge the
 * answers of GPT-3.5 as well, which has seen nobody's votes.
 */
export async function pandalm(
  dataDir: string,
  { withRecorded }: { withRecorded: boolean },
): Promise<VotedSet> {
  const rows = await readRows(join(dataDir, "pandalm/testset-v1.json"), rowSchema);
  const recorded = withRecorded
    ? await readRows(join(dataDir, "pandalm/gpt-3.5-turbo-testset-v1.json"), recordedSchema)
    : [];
  const answers = new Map(recorded.map(({ idx, gpt_result: result }) => [idx, result]));
  return {
    name: withRecorded ? "pandalm+gpt-3.5" : "pandalm",
    kind: "which-of-two",
    isReference: false,
    texts: rows.flatMap((row) => votedText(row, answers.get(row.idx)) ?? []),
  };
}

/** Null where most people see no difference. */
function votedText(row: Row, recorded: string | undefined): VotedText | null {
  const votes = [row.annotator1, row.annotator2, row.annotator3];
  const share = (of: number): number => votes.filter((one) => one === of).length / votes.length;
  const [first, second] = [share(1), share(2)];
  if (Math.max(first, second) <= 0.5) return null;
  return {
    group: `${row.instruction}\n${row.input}`,
    asked: row.instruction,
    source: row.input,
    outputs: [row.response1, row.response2],
    votes: [first, second],
    truth: first > second ? 0 : 1,
    hint: recorded === "1" ? 1 : recorded === "2" ? -1 : 0,
  };
}
