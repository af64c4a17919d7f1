/** How good the baseline judge is on labelled sets it has seen half of: `npm run bench -- baseline [--data DIR]`. */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { fieldConfidences } from "@touchstone/core/domain/confidence/field-confidence";
import { readAnswer } from "@touchstone/core/domain/judge/answer";
import { buildPrompt } from "@touchstone/core/domain/judge/prompt";
import { recallExamples } from "@touchstone/core/domain/judge/recall";
import type { LabelledExample } from "@touchstone/core/ports";
import { type ChatCompletion, type ChatTurn, chatCompletionSchema } from "@touchstone/core/schema/chat";
import type { Sample } from "@touchstone/core/schema/sample";
import type { Field } from "@touchstone/core/schema/template";
import { startBaselineJudge } from "../../infra/endpoints/baseline-judge/server.ts";
import { demoSets, importedSets, type LabelledSet } from "./labelled-sets.ts";
import { auroc, majorityShare } from "./ranking.ts";

export const describe =
  "accuracy and error ranking of the baseline judge on held-out halves: [--data DIR] [--set NAME] [--examples N]";

/** One answer to one field, held against its human label. */
interface Judged {
  readonly field: string;
  readonly label: string;
  readonly right: boolean;
  /** Probability of the answered value; 0 where there is none. */
  readonly confidence: number;
}

interface Measure {
  readonly name: string;
  readonly n: number;
  readonly majority: number;
  readonly accuracy: number;
  /** null where there is no error to rank, or nothing right. */
  readonly auroc: number | null;
}

export async function run(args: readonly string[]): Promise<{ sets: Measure[] }> {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: "string" }, set: { type: "string" }, examples: { type: "string" } },
  });
  const all = [...(await demoSets()), ...(values.data === undefined ? [] : await importedSets(values.data))];
  const sets = all.filter(({ name }) => values.set === undefined || name === values.set);
  const server = await startBaselineJudge({ port: 0 });
  try {
    const measures: Measure[] = [];
    for (const set of sets) {
      const judged = await judgeSet(set, server.url, values.examples ? Number(values.examples) : null);
      for (const field of fieldsOf(set)) {
        console.error(
          row(
            measure(
              `  ${set.name}/${field.id}`,
              judged.filter((one) => one.field === field.id),
            ),
          ),
        );
      }
      const whole = measure(set.name, judged);
      console.error(row(whole));
      measures.push(whole);
    }
    return { sets: measures };
  } finally {
    await server.close();
  }
}

/** Closed fields alone: a free text has no right answer to count. Scorers are set aside, so that the judge is asked. */
const fieldsOf = (set: LabelledSet): Field[] =>
  set.template.fields.filter((field) => field.kind === "label" || field.kind === "ordinal");

async function judgeSet(set: LabelledSet, url: string, most: number | null): Promise<Judged[]> {
  const examples: LabelledExample[] = set.shown.map((sample) => ({ sample, labels: sample.labels ?? {} }));
  const judged: Judged[] = [];
  for (const sample of set.heldOut) judged.push(...(await judgeOne(set, sample, examples, url, most)));
  return judged;
}

async function judgeOne(
  set: LabelledSet,
  sample: Sample,
  examples: readonly LabelledExample[],
  url: string,
  most: number | null,
): Promise<Judged[]> {
  const { template } = set;
  const fields = fieldsOf(set);
  const { labels = {}, ...unlabelled } = sample;
  const prompt = buildPrompt({
    template,
    fields,
    sample: unlabelled,
    examples: recallExamples(examples, unlabelled, most ?? template.memory.examples),
    gists: [],
    problems: [],
    images: [],
    nonce: createHash("sha256").update(sample.id).digest("hex").slice(0, 16),
  });
  const completion = await ask(url, prompt.messages, template.judge.maxTokens);
  const answer = readAnswer(completion, { fields, sample: unlabelled, gists: [] });
  if (answer.kind !== "answer")
    throw new Error(`${sample.id}: the baseline gave no answer: ${answer.detail}`);
  const confidences = fieldConfidences(fields, answer, completion);
  return fields.flatMap((field) => {
    const label = labels[field.id];
    if (typeof label !== "string") return [];
    const right = answer.values.get(field.id)?.value === label;
    return [{ field: field.id, label, right, confidence: confidences.get(field.id)?.pRaw ?? 0 }];
  });
}

async function ask(url: string, messages: readonly ChatTurn[], maxTokens: number): Promise<ChatCompletion> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "baseline",
      messages,
      temperature: 0,
      max_tokens: maxTokens,
      logprobs: true,
      top_logprobs: 20,
    }),
  });
  return chatCompletionSchema.parse(await response.json());
}

/** The majority is that of the held-out half itself, field by field: the best that a constant answer could do. */
function measure(name: string, judged: readonly Judged[]): Measure {
  return {
    name,
    n: judged.length,
    majority: rounded(majorityShare(judged.map(({ field, label }) => ({ group: field, label })))),
    accuracy: rounded(judged.filter(({ right }) => right).length / Math.max(1, judged.length)),
    auroc: nullable(auroc(judged.map(({ right, confidence }) => ({ positive: right, score: confidence })))),
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const nullable = (value: number | null): number | null => (value === null ? null : rounded(value));

const row = ({ name, n, majority, accuracy, auroc: area }: Measure): string =>
  `${name.padEnd(44)} n ${String(n).padStart(4)}  majority ${majority.toFixed(3)}  accuracy ${accuracy.toFixed(3)}  auroc ${area?.toFixed(3) ?? "–"}`;
