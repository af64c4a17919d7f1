/** The template store port over versioned objects: `templates/<task>/template.yaml` and `examples.jsonl` beside it. */
import { isUtf8 } from "node:buffer";
import { parseExamples } from "@touchstone/core/domain/template/parse-examples";
import { parseTemplate, type TemplateProblem } from "@touchstone/core/domain/template/parse-template";
import { errorKind, type PipelineError, permanent } from "@touchstone/core/errors";
import type { BlobStore, Clock, LabelledExample, TemplateStore } from "@touchstone/core/ports";
import { type TaskId, taskIdSchema } from "@touchstone/core/schema/identity";
import type { Template, TemplatePin } from "@touchstone/core/schema/template";
import { rememberLatest } from "./remember.ts";

const folder = "templates/";
/** An edit takes effect after this long at most; without it every sample would cost two calls. */
const freshMs = 5_000;
const maxTemplateBytes = 1_000_000;
const maxExampleBytes = 50_000_000;
const rememberedVersions = 256;

const templatePath = (task: string): string => `${folder}${task}/template.yaml`;
const examplesPath = (task: string): string => `${folder}${task}/examples.jsonl`;

type Current = Awaited<ReturnType<TemplateStore["current"]>>;

/** `bucket` must keep versions. What a version says never changes, so parsed versions are remembered. */
export function s3TemplateStore(blobs: BlobStore, bucket: string, clock: Clock): TemplateStore {
  const text = async (key: string, versionId: string, maxBytes: number): Promise<string> => {
    const { bytes } = await blobs.read({ bucket, key, versionId }, maxBytes);
    if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
    throw badTemplate(bucket, key, [{ path: "", line: 1, message: "not UTF-8 text; save it as UTF-8" }]);
  };
  const versionOf = async (key: string): Promise<string | null> => {
    const head = await blobs.head({ bucket, key });
    if (!head) return null;
    if (head.versionId === undefined) {
      throw permanent(
        "bad-template",
        `s3://${bucket} keeps no versions; turn versioning on to pin templates`,
      );
    }
    return head.versionId;
  };

  const template = rememberLatest(rememberedVersions, async (task: string, versionId: string) => {
    const key = templatePath(task);
    const parsed = parseTemplate(await text(key, versionId, maxTemplateBytes));
    if ("problems" in parsed) throw badTemplate(bucket, key, parsed.problems);
    if (parsed.template.task === task) return parsed.template;
    const message = `names the task "${parsed.template.task}" but lies in the folder of "${task}"`;
    throw badTemplate(bucket, key, [{ path: "task", line: 1, message }]);
  });
  const examples = rememberLatest(rememberedVersions, async (task: string, versionId: string) => {
    const key = examplesPath(task);
    const parsed = parseExamples(await text(key, versionId, maxExampleBytes));
    if ("problems" in parsed) throw badTemplate(bucket, key, parsed.problems);
    return parsed.examples;
  });

  const look = async (task: TaskId): Promise<Current> => {
    const versionId = await versionOf(templatePath(task));
    if (versionId === null) return null;
    const examplesVersionId = (await versionOf(examplesPath(task))) ?? undefined;
    const found: Template = await template(task, versionId);
    return { pin: { task, version: found.version, versionId, examplesVersionId }, template: found };
  };
  const looked = new Map<TaskId, { readonly at: number; readonly answer: Promise<Current> }>();

  return {
    current(task) {
      const last = looked.get(task);
      if (last && clock() - last.at < freshMs) return last.answer;
      const answer = look(task);
      looked.set(task, { at: clock(), answer });
      answer.catch((error: unknown) => {
        if (errorKind(error) === "transient") looked.delete(task);
      });
      return answer;
    },
    pinned: (pin: TemplatePin) => template(pin.task, pin.versionId),
    examples: async (pin: TemplatePin): Promise<readonly LabelledExample[]> =>
      pin.examplesVersionId === undefined ? [] : examples(pin.task, pin.examplesVersionId),
    async tasks() {
      const found: TaskId[] = [];
      for await (const { key } of blobs.list(bucket, folder)) {
        const task = taskIdSchema.safeParse(key.slice(folder.length).split("/")[0]);
        if (task.success && key === templatePath(task.data)) found.push(task.data);
      }
      return found.sort();
    },
  };
}

const badTemplate = (bucket: string, key: string, problems: readonly TemplateProblem[]): PipelineError => {
  const shown = problems.slice(0, 5).map(({ line, path, message }) => {
    const where = path === "" ? `line ${line}` : `line ${line}, ${path}`;
    return `${where}: ${message}`;
  });
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  return permanent("bad-template", `s3://${bucket}/${key}: ${[...shown, ...more].join("; ")}`);
};
