/** A small task with one field, and batches for it: most samples sure, four unsure, two lines broken. */

export const okTemplate = `
task: ok
version: 1
family: test
title: { zh: 可以, en: OK }
standard: |
  Y if the output greets, N if not.
fields:
  - id: ok
    kind: label
    title: greets
    labels:
      - { code: "Y", name: yes }
      - { code: "N", name: no }
memory: { examples: 0 }
decision: { provisionalThreshold: 0.9, auditRate: 0 }
`;

/** `samples` good lines of which four are unsure, a line that is no JSON, and a repeated id. */
export const batchLines = (prefix: string, samples: number): string => {
  const lines = Array.from({ length: samples }, (_, index) => {
    const id = `${prefix}-${index}`;
    return JSON.stringify({ id, output: `hello #${id}# ${index % (samples / 4) === 0 ? "(unsure)" : ""}` });
  });
  return `${[...lines, "{not json", JSON.stringify({ id: `${prefix}-1`, output: "again" })].join("\n")}\n`;
};
