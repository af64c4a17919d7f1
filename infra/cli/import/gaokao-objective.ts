/** Imports objective questions of GAOKAO-Bench (`obj_*.json`); `touchstone import gaokao-objective` calls it. */
import { asRow, asRows, metaAt, type Row, readJson, textAt, textsAt, wrongShape } from "./json-rows.ts";
import { type Imported, type TemplateDraft, taskName, writeTask } from "./write-task.ts";

const template = (task: string, keyword: string): TemplateDraft => ({
  task,
  version: 1,
  family: "objective",
  title: {
    zh: `高考客观题判分：${keyword}`.slice(0, 200),
    en: `Objective questions: ${keyword}`.slice(0, 200),
  },
  standard: `# 任务
判断模型的最终选项是否与「参考」一致。

# 判定
- Y：最终选项与参考完全一致。一道大题有几个小题时，参考按小题顺序列出，每个小题都要对。
- N：有一个小题的最终选项与参考不同，漏答、多选，或没有给出唯一的最终选项。
- 只看最终选项，解析写得好不好不影响判定。
`,
  fields: [
    {
      id: "correct",
      kind: "label",
      title: "是否正确",
      question: "最终选项与参考一致吗？",
      labels: [
        { code: "Y", name: "正确", description: "每个小题都与参考一致" },
        { code: "N", name: "错误", description: "有小题与参考不一致，或没有唯一答案" },
      ],
    },
  ],
  scorers: [{ field: "correct", kind: "exact-choice", right: "Y", wrong: "N" }],
  decision: { alpha: 0.05, provisionalThreshold: 0.9 },
});

/** Right if the file's own record of the model's answers equals the standard ones; unknown where it has no record. */
function labelOf(standard: readonly string[], answered: readonly string[] | null): "Y" | "N" | null {
  if (answered === null) return null;
  return standard.length === answered.length && standard.every((letter, index) => letter === answered[index])
    ? "Y"
    : "N";
}

function readQuestion(row: Row, id: string) {
  const standard = textsAt(row, "standard_answer");
  if (standard === null) throw wrongShape(row.at, 'field "standard_answer" must name at least one answer');
  const correct = labelOf(standard, textsAt(row, "model_answer"));
  return {
    questions: standard.length,
    correct,
    sample: {
      id,
      input: textAt(row, "question"),
      output: textAt(row, "model_output"),
      reference: standard.join(","),
      ...(correct === null ? {} : { labels: { correct } }),
      meta: { ...metaAt(row, "year", "category", "score", "index"), questions: standard.length },
    },
  };
}

/**
 * `file` is `{keyword, example: [{question, standard_answer, model_answer, model_output, …}]}`. A row with several
 * questions stays one sample; its reference lists their answers in turn, and it is right only if all are.
 */
export async function importGaokaoObjective(file: string, out: string): Promise<Imported> {
  const task = taskName("gaokao", file);
  const whole = asRow(await readJson(file), file);
  const read = asRows(whole.value.example, file, 'field "example"').map((row, index) => ({
    at: row.at,
    ...readQuestion(row, `${task}-${String(index).padStart(4, "0")}`),
  }));
  const several = read.filter(({ questions }) => questions > 1).length;
  const unlabelled = read.filter(({ correct }) => correct === null).length;
  const warnings = [
    ...(several > 0
      ? [
          `${several} of ${read.length} rows hold several questions; each is one sample, right only if all are`,
        ]
      : []),
    ...(unlabelled > 0 ? [`${unlabelled} of ${read.length} rows have no model_answer, so no label`] : []),
  ];
  return writeTask(out, template(task, textAt(whole, "keyword")), read, warnings);
}
