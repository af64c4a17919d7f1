/** What must hold between a rubric's criteria, its fields and its bands. Called by the template's schema. */
import type { Criterion, Grading } from "./rubric.ts";

export interface RubricFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

interface Linked {
  readonly rubric: readonly Criterion[];
  readonly grading: Grading;
  readonly fields: readonly { readonly id: string }[];
  readonly judge: { readonly maxTokens: number };
}

/** The grade's name among a sample's labels; a field or a criterion of that id would be taken for it. */
export const gradeLabel = "grade";

/** Every fault, with the setting it is in. */
export const rubricFaults = ({ rubric, grading, fields, judge }: Linked): readonly RubricFault[] => {
  const ids = new Set(rubric.map(({ id }) => id));
  const taken = new Set([...fields.map(({ id }) => id), gradeLabel]);
  const faults: RubricFault[] = [];
  rubric.forEach((criterion, index) => {
    const fault = (part: string, message: string) => faults.push({ path: ["rubric", index, part], message });
    const wrongPoints = pointsFault(criterion);
    if (wrongPoints !== null) fault("points", wrongPoints);
    if (taken.has(criterion.id)) fault("id", `"${criterion.id}" is the name of a field or of the grade`);
    for (const other of criterion.dependsOn) {
      if (!ids.has(other)) fault("dependsOn", `there is no criterion "${other}"`);
    }
    for (const other of criterion.mutex ?? []) {
      if (!ids.has(other) || other === criterion.id) fault("mutex", `there is no other criterion "${other}"`);
    }
    if (dependsOnItself(criterion.id, rubric)) fault("dependsOn", "the criterion depends on itself");
  });
  if (rubric.length > 0 && !rubric.some(({ kind }) => kind === "positive"))
    faults.push({ path: ["rubric"], message: "a rubric needs a positive criterion to measure by" });
  return [...faults, ...roomFaults(rubric, judge.maxTokens), ...bandFaults(grading, fields)];
};

/** An answer is about this long for a verdict with a short quote, and for all else. */
const tokensPerCriterion = 40;
const tokensBeside = 200;

const roomFaults = (rubric: readonly Criterion[], maxTokens: number): readonly RubricFault[] => {
  const asked = rubric.filter(({ check }) => check === "llm").length;
  const needed = asked * tokensPerCriterion + tokensBeside;
  if (asked === 0 || needed <= maxTokens) return [];
  const message = `${asked} judged criteria need room for their verdicts: set at least ${needed}`;
  return [{ path: ["judge", "maxTokens"], message }];
};

const pointsFault = ({ kind, points }: Criterion): string | null => {
  switch (kind) {
    case "positive":
      return points > 0 ? null : "a positive criterion has points above 0";
    case "negative":
      return points < 0 ? null : "a negative criterion has points below 0";
    case "veto":
      return points <= 0 ? null : "a veto has no points above 0";
    default:
      return kind satisfies never;
  }
};

const dependsOnItself = (id: string, rubric: readonly Criterion[]): boolean => {
  const byId = new Map(rubric.map((criterion) => [criterion.id, criterion]));
  const seen = new Set<string>();
  const next = [...(byId.get(id)?.dependsOn ?? [])];
  for (let other = next.pop(); other !== undefined; other = next.pop()) {
    if (other === id) return true;
    if (seen.has(other)) continue;
    seen.add(other);
    next.push(...(byId.get(other)?.dependsOn ?? []));
  }
  return false;
};

const bandFaults = ({ bands }: Grading, fields: Linked["fields"]): readonly RubricFault[] => {
  if (bands.length === 0) return [];
  const path = ["grading", "bands"];
  const faults: RubricFault[] = [];
  if (fields.some(({ id }) => id === gradeLabel))
    faults.push({
      path,
      message: `a field is named "${gradeLabel}", which is the name of the rubric's grade`,
    });
  if (!bands.some(({ min }) => min === 0))
    faults.push({ path, message: "one band must begin at 0, so that every score has a grade" });
  for (const part of ["min", "name"] as const) {
    if (new Set(bands.map((band) => band[part])).size < bands.length)
      faults.push({ path, message: `two bands have the same ${part}` });
  }
  return faults;
};
