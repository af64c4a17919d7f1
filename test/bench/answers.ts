/** Whether what a judge wrote is what comes out: `npm run bench -- answers [--mutants N] [--seed S] [--show N]`. */
import { parseArgs } from "node:util";
import { judgedResult } from "@touchstone/core/domain/decide/judged-result";
import { askedFields } from "@touchstone/core/domain/judge/asked-fields";
import { recordedJudging } from "@touchstone/core/domain/judge/recorded-judging";
import { batchIdSchema } from "@touchstone/core/schema/identity";
import type { ScoreRequest } from "@touchstone/core/schema/messages";
import type { Result } from "@touchstone/core/schema/result";
import type { FieldValue } from "@touchstone/core/schema/sample";
import { dice } from "../../events/generate-demo/random.ts";
import { mutantSample, mutantTemplate } from "./answers/draft.ts";
import { drawMutant, type Mutant } from "./answers/mutants.ts";

export const describe = "20,000 mutated judge answers: no score without a verdict, and no verdict lost";
export const help = `Options: --mutants N (20000), --seed S (1), --show N (prints the first N that went wrong, to stderr).

mutants              answers that were changed, by what they were changed
scoreWithoutVerdict  of these: a value came out that the change had removed or made ambiguous, or another one
verdictLost          of these: a change that means nothing cost a clear verdict`;

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mutants: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
      show: { type: "string", default: "0" },
    },
  });
  const random = dice(Number(values.seed));
  const counts = { mutants: Number(values.mutants), scoreWithoutVerdict: 0, verdictLost: 0 };
  let shown = Number(values.show);
  for (let index = 0; index < counts.mutants; index++) {
    const mutant = drawMutant(random);
    const wrong = faultOf(mutant);
    if (wrong === null) continue;
    counts[wrong.kind] += 1;
    if (shown-- > 0)
      console.error(`${wrong.kind} (${wrong.what}): ${mutant.names.join(" + ")}\n${mutant.wrapped.text}\n`);
  }
  return counts;
}

interface Fault {
  readonly kind: "scoreWithoutVerdict" | "verdictLost";
  readonly what: string;
}

/** Null where everything came out as it must. */
export const faultOf = (mutant: Mutant): Fault | null => {
  const { values, decision } = outcomeOf(mutant);
  const { truth, fate } = mutant.draft;
  for (const [id, is] of values) {
    if (!truth.has(id)) continue;
    const isRight = same(is, truth.get(id));
    if (fate.get(id) === "gone" || !isRight)
      return { kind: "scoreWithoutVerdict", what: `${id} = ${String(is)}` };
  }
  const all = [...fate];
  const isLost = all.some(([, end]) => end === "gone");
  if (isLost && decision === "machine") return { kind: "scoreWithoutVerdict", what: "decided by machine" };
  const missing = all.find(([id, end]) => end === "stays" && !values.has(id));
  if (missing) return { kind: "verdictLost", what: missing[0] };
  const isClear = mutant.hasLogprobs && all.every(([, end]) => end === "stays");
  const isWhole = !mutant.names.includes("a note that is too long");
  if (isClear && isWhole && decision !== "machine")
    return { kind: "verdictLost", what: `decided ${decision}` };
  return null;
};

const same = (left: FieldValue, right: FieldValue | undefined): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** The values that were read, and the decision made on them: the way that SCORE goes. */
const outcomeOf = (
  mutant: Mutant,
): { readonly values: ReadonlyMap<string, FieldValue>; readonly decision: Result["decision"] } => {
  const input = {
    template: mutantTemplate,
    fields: askedFields(mutantTemplate),
    sample: mutantSample,
    ...{ examples: [], gists: [], problems: [], images: [] },
    nonce: "0123456789abcdef",
  };
  const judging = recordedJudging(input, [mutant.completion]);
  const result = judgedResult({
    request,
    sample: mutantSample,
    template: mutantTemplate,
    exact: [],
    judged: { judging, model: "mutant", judgeMs: 0 },
    probe: null,
    trust: null,
    startedAt: 0,
    now: 0,
  });
  const values = judging.readings.flatMap(({ id, value }): [string, FieldValue][] =>
    value === null ? [] : [[id, value]],
  );
  return { values: new Map(values), decision: result.decision };
};

const request: ScoreRequest = {
  schema: 1,
  key: { batch: batchIdSchema.parse("mutants/bench/a.jsonl@v1"), run: 1, split: 0, ordinal: 0 },
  sampleId: mutantSample.id,
  line: 1,
  source: { bucket: "bench", key: "a.jsonl" },
  payload: { sample: mutantSample },
  template: { task: mutantTemplate.task, version: 1, versionId: "v1" },
  callType: "score",
  arrivedAt: 0,
  gists: [],
  problems: [],
};
