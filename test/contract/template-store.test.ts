/** The template store contract against memory and S3, and what the S3 adapter alone must see to. */
import { parseTemplate } from "@touchstone/core/domain/template/parse-template";
import type { BlobStore, LabelledExample, TemplateStore } from "@touchstone/core/ports";
import type { TaskId } from "@touchstone/core/schema/identity";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3BlobStore } from "../../functions/_aws/s3-blob-store.ts";
import { s3TemplateStore } from "../../functions/_aws/s3-template-store.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { memoryTemplateStore } from "../memory/memory-template-store.ts";
import { type LocalS3, startLocalS3 } from "./local-s3.ts";
import { fresh, taskId, templateYaml } from "./records.ts";
import { example, templateStoreContract } from "./template-store-contract.ts";

const bucket = "contract";
let s3: LocalS3;
let now = 1_700_000_000_000;
let store: TemplateStore;
beforeAll(async () => {
  s3 = await startLocalS3();
  store = s3TemplateStore(s3BlobStore(s3.client), bucket, () => now);
});
afterAll(() => s3.close());

const putTemplate = (blobs: BlobStore, task: TaskId, yaml: string) =>
  blobs.write({ bucket, key: `templates/${task}/template.yaml` }, yaml, "application/yaml");
const putExamples = (blobs: BlobStore, task: TaskId, lines: readonly unknown[]) =>
  blobs.write(
    { bucket, key: `templates/${task}/examples.jsonl` },
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
    "application/x-ndjson",
  );

const memory = memoryTemplateStore();
templateStoreContract("memory", () => ({
  store: memory,
  publish: async (task, version, examples: readonly LabelledExample[] = []) => {
    const parsed = parseTemplate(templateYaml(task, version));
    if ("template" in parsed) memory.put(parsed.template, examples);
  },
  publishBroken: async (task) => memory.putBroken(task),
}));

templateStoreContract("S3", () => {
  const blobs = s3BlobStore(s3.client);
  return {
    store,
    publish: async (task, version, examples = []) => {
      await putTemplate(blobs, task, templateYaml(task, version));
      const samples = examples.map(({ sample }) => sample);
      if (examples.length > 0) await putExamples(blobs, task, samples);
      now += 5_000;
    },
    publishBroken: async (task) => {
      await putTemplate(blobs, task, templateYaml(task, 2).replace("kind: label", "kind: lable"));
      now += 5_000;
    },
  };
});

describe("template store on versioned objects", () => {
  const task = taskId("dialogue");
  const opened = (at = { now: 0 }) => {
    const blobs = memoryBlobStore();
    let heads = 0;
    const counted: BlobStore = {
      ...blobs,
      head: (ref) => {
        heads += 1;
        return blobs.head(ref);
      },
    };
    return { blobs, store: s3TemplateStore(counted, bucket, () => at.now), heads: () => heads };
  };

  test("looks for a newer version every five seconds, not more often", async () => {
    const at = { now: 0 };
    const { blobs, store, heads } = opened(at);
    await putTemplate(blobs, task, templateYaml(task, 1));
    await Promise.all([store.current(task), store.current(task), store.current(task)]);
    await putTemplate(blobs, task, templateYaml(task, 2));
    at.now = 4_999;
    expect((await store.current(task))?.pin.version).toBe(1);
    expect(heads()).toBe(2);
    at.now = 5_000;
    expect((await store.current(task))?.pin.version).toBe(2);
    expect(heads()).toBe(4);
  });

  test("a broken template is told with its file, line and field", async () => {
    const { blobs, store } = opened();
    await putTemplate(blobs, task, templateYaml(task, 1).replace("kind: label", "kind: lable"));
    await expect(store.current(task)).rejects.toThrow(
      /s3:\/\/contract\/templates\/dialogue\/template\.yaml: line 8, fields\.0\.kind: /,
    );
  });

  test("a template in the folder of another task is refused", async () => {
    const { blobs, store } = opened();
    await putTemplate(blobs, task, templateYaml("summary", 1));
    await expect(store.current(task)).rejects.toMatchObject({ code: "bad-template" });
  });

  test("a bad example is told with its file and line, and not quoted", async () => {
    const { blobs, store } = opened();
    await putTemplate(blobs, task, templateYaml(task, 1));
    const unlabelled = { id: "two", output: "答" };
    await putExamples(blobs, task, [example("one").sample, "", "{secret words", unlabelled]);
    const pin = (await store.current(task))?.pin;
    if (!pin) throw new Error("the template was put");
    const failure = await store.examples(pin).catch((error: unknown) => String(error));
    expect(failure).toMatch(/examples\.jsonl: line 3: .*; line 4, labels: /);
    expect(failure).not.toContain("secret");
  });

  test("text that is not UTF-8 is refused", async () => {
    const { blobs, store } = opened();
    const key = `templates/${task}/template.yaml`;
    await blobs.write({ bucket, key }, new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]), "application/yaml");
    await expect(store.current(task)).rejects.toThrow("UTF-8");
  });

  test("an outage is forgotten at once", async () => {
    const { blobs } = opened();
    await putTemplate(blobs, task, templateYaml(task, 1));
    let broken = true;
    const flaky: BlobStore = {
      ...blobs,
      head: (ref) => (broken ? Promise.reject(new Error("socket hang up")) : blobs.head(ref)),
    };
    const store = s3TemplateStore(flaky, bucket, () => 0);
    await expect(store.current(task)).rejects.toThrow("socket hang up");
    broken = false;
    expect((await store.current(task))?.pin.version).toBe(1);
  });

  test("a bucket that keeps no versions is told", async () => {
    const blobs = s3BlobStore(s3.client);
    const plain = s3TemplateStore(blobs, "plain", () => now);
    await blobs.write({ bucket: "plain", key: `templates/${task}/template.yaml` }, "x", "text/plain");
    await expect(plain.current(task)).rejects.toThrow("versioning");
    expect(await plain.current(taskId(fresh("task")))).toBeNull();
  });
});
