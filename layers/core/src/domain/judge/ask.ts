/** The trusted half of a prompt as text: standard, rubric, fields with their codes, rules. Called by `buildPrompt`. */
import type { Criterion } from "../../schema/rubric.ts";
import type { Field, Template } from "../../schema/template.ts";
import { codesOf } from "../rubric/asked-criteria.ts";
import type { PromptWording } from "./prompt-wording.ts";

/** One trusted section; its end tag cannot be imitated by its own text. */
export function section(tag: string, title: string, text: string): string {
  return `\n\n<${tag}> ${title}\n${text.replaceAll(`</${tag}>`, `＜/${tag}>`)}\n</${tag}>`;
}

/** The fields that are asked, numbered, each with its kind and its allowed codes. */
export function fieldLines(fields: readonly Field[], wording: PromptWording): string {
  return fields
    .map((field, index) => {
      const optional = field.required ? "" : wording.optional;
      const question = field.question ? ` — ${field.question}` : "";
      const head = `${index + 1}. "${field.id}" (${wording.kinds[field.kind]}${limits(field, wording)}${optional}) ${field.title}${question}`;
      return [head, ...codeLines(field)].join("\n");
    })
    .join("\n");
}

function limits(field: Field, wording: PromptWording): string {
  switch (field.kind) {
    case "text":
      return wording.maxLength(field.maxLength);
    case "list":
      return wording.maxItems(field.maxItems, field.of);
    case "label":
    case "labels":
    case "ordinal":
      return "";
    default:
      return field satisfies never;
  }
}

function codeLines(field: Field): string[] {
  if (!("labels" in field)) return [];
  return field.labels.map(
    (label) => `   - "${label.code}" ${label.name}${label.description ? `: ${label.description}` : ""}`,
  );
}

/** How criteria are answered, then one line for each: its codes, what kind it is, where it looks, what it must quote. */
export function criterionLines(criteria: readonly Criterion[], wording: PromptWording): string {
  if (criteria.length === 0) return "";
  const lines = criteria.map((criterion) => {
    const { id, kind, text, deliverable, evidence } = criterion;
    const notes = [
      wording.criterionKinds[kind],
      ...(deliverable === undefined ? [] : [wording.lookIn(deliverable.file, deliverable.locator)]),
      ...(evidence?.required ? [wording.mustQuote(evidence.minSpans, evidence.source)] : []),
    ];
    const note = notes.join(wording.noteSeparator);
    return `- "${id}" [${codesOf(criterion).join("|")}] (${note}) ${text.replace(/\s+/g, " ")}`;
  });
  return [wording.criteriaGuide, ...lines].join("\n");
}

/** What must hold between answers, for the rules whose fields are all asked. */
export function ruleLines(rules: Template["rules"], fields: readonly Field[]): string {
  const asked = new Set<string>(fields.map((field) => field.id));
  return rules
    .filter((rule) => [...rule.when, ...rule.require].every(({ field }) => asked.has(field)))
    .map((rule) => `- ${rule.message}`)
    .join("\n");
}

/** The form of the answer with the asked ids in it, so that small models need only fill it in; criteria come first. */
export function answerForm(fields: readonly Field[], criteria: readonly Criterion[]): string {
  const verdicts = criteria.map(
    (criterion) => `"${criterion.id}": {"quotes": ["…"], "met": "${codesOf(criterion).join("|")}"}`,
  );
  return [
    ...(verdicts.length === 0 ? [] : [`"criteria": {${verdicts.join(", ")}}`]),
    ...(fields.length === 0 ? [] : [`"fields": {${fields.map(fieldForm).join(", ")}}`]),
  ].join(", ");
}

function fieldForm(field: Field): string {
  switch (field.kind) {
    case "label":
    case "ordinal":
      return `"${field.id}": "${field.labels.map((label) => label.code).join("|")}"`;
    case "labels":
      return `"${field.id}": ["${field.labels.map((label) => label.code).join("|")}", …]`;
    case "text":
      return `"${field.id}": "…"`;
    case "list":
      return `"${field.id}": ["…"]`;
    default:
      return field satisfies never;
  }
}
