/** Why is nothing happening? Facts to findings, pure; `touchstone status` shows them. */
import { batchFindings } from "./batch-findings.ts";
import type { StatusFacts } from "./facts.ts";
import { type Finding, inOrder } from "./finding.ts";
import {
  brokenTemplateFindings,
  budgetFindings,
  deadLetterFindings,
  heldEndpointFindings,
  looseFileFindings,
} from "./system-findings.ts";
import { trustFindings } from "./trust-findings.ts";

/** Worst first, and never empty: where all is well, that is said. */
export const diagnose = (facts: StatusFacts): readonly Finding[] => {
  const found = [
    ...looseFileFindings(facts),
    ...deadLetterFindings(facts),
    ...brokenTemplateFindings(facts),
    ...heldEndpointFindings(facts),
    ...budgetFindings(facts),
    ...trustFindings(facts),
    ...facts.batches.flatMap((batch) => batchFindings(batch, facts)),
  ];
  return found.length > 0 ? inOrder(found) : [allIsDone];
};

const allIsDone: Finding = {
  code: "idle",
  severity: "moving",
  batch: null,
  run: null,
  text: { en: "Nothing waits for anything.", zh: "没有在等待的事情。" },
};
