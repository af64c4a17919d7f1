/** Judged samples of a made-up family, with people who know the truth; used by the trust tests. */
import type { JudgedTask } from "@touchstone/core/domain/trust/certify-family";
import type { Observed } from "@touchstone/core/domain/trust/observed";
import { type Template, templateSchema } from "@touchstone/core/schema/template";

export const familyTemplate = (task = "t", part: object = {}): Template =>
  templateSchema.parse({
    ...{ task, version: 1, family: "f", title: { zh: "t", en: "t" }, standard: "s" },
    fields: [
      {
        ...{ kind: "label", id: "ok", title: "ok" },
        labels: [
          { code: "Y", name: "yes" },
          { code: "N", name: "no" },
        ],
      },
    ],
    decision: { alpha: 0.05, auditRate: 1 },
    ...part,
  });

export const observed = (index: number, part: Partial<Observed> = {}): Observed => ({
  ...{ task: "t", sampleId: `s-${index}`, likeness: `l-${index}`, fingerprint: "f" },
  ...{
    raw: 0.99,
    accepted: true,
    first: true,
    final: true,
    agreeing: 1,
    vetoes: [],
    decidedAt: 1_000 + index,
  },
  ...part,
});

/** `count` samples whose confidence falls from 1 to a half; the machine errs on the least sure `errors` of them. */
export const judgedTask = (count: number, errors: number, task = "t", part: object = {}): JudgedTask => ({
  template: familyTemplate(task, part),
  fingerprint: `f-${task}`,
  parts: { model: "m", quantisation: null, prompt: "v1", rubric: `v1 ${task}`, decoding: "{}", server: null },
  samples: Array.from({ length: count }, (_, index) => {
    const right = index < count - errors;
    return observed(index, {
      ...{ task, fingerprint: `f-${task}`, raw: 1 - index / (2 * count) },
      ...{ first: right, final: right, agreeing: right ? 1 : 0 },
    });
  }),
});
