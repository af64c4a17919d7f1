/** The task that the benches run: one field, text samples of about a kilobyte, one in twenty of them unsure. */

/** Tells the fixed judge to be unsure. */
export const unsureMark = "(unsure)";
const unsureEvery = 20;

/** `alternatives`: of each token of an answer; two labels need no more than a few. */
export const benchTemplate = (alternatives = 5): string => `
task: bench
version: 1
family: bench
title: { zh: 压测, en: Bench }
standard: |
  # Task
  Say whether an answer of a shopping assistant greets the reader.
  - Y: it greets, in any language and at any place of the answer.
  - N: it does not greet, or the greeting is only quoted from the question.
fields:
  - id: ok
    kind: label
    title: greets
    question: Does the output greet the reader?
    labels:
      - { code: "Y", name: greets, description: a greeting stands somewhere in the output }
      - { code: "N", name: does not greet, description: no greeting of the assistant's own }
memory: { examples: 0 }
judge: { language: en, topLogprobs: ${alternatives} }
decision: { provisionalThreshold: 0.9, auditRate: 0 }
`;

const filler =
  "The parcel left the warehouse this morning and should arrive within three days; if it does not, reply here. ";

/** One line of a batch file, with its line feed. */
export const benchLine = (
  prefix: string,
  index: number,
  isUnsure: boolean = index % unsureEvery === 0,
): string => {
  const mark = isUnsure ? unsureMark : "";
  return `${JSON.stringify({
    id: `${prefix}-${index}`,
    input: `Where is my order number ${index}? ${filler.repeat(3)}`,
    output: `hello ${mark} ${filler.repeat(5)}`,
    meta: { source: "bench" },
  })}\n`;
};

export const benchLines = (prefix: string, samples: number): string =>
  Array.from({ length: samples }, (_, index) => benchLine(prefix, index)).join("");

/** How many of `samples` the fixed judge is unsure of, and people must look at. */
export const unsureOf = (samples: number): number => Math.ceil(samples / unsureEvery);
