/** All text files of the demo by their path below events/, made from hand-written material; pure but for reading it. */
import { gzipSync } from "node:zlib";
import type { Sample } from "@touchstone/core/schema/sample";
import { stringify } from "yaml";
import { type BrokenBatch, type Expected, withBrokenLines } from "./broken-lines.ts";
import { poisonFiles } from "./poison-files.ts";
import { posterSamples } from "./poster-brief.ts";
import { quizSamples } from "./quiz.ts";
import { writtenQuizSamples } from "./quiz-written.ts";
import { memoSamples } from "./report-rubric.ts";
import { shopDialogues } from "./shop-dialogue.ts";

/** Dialogues of the day shift; the others are the night shift's, which come compressed. */
const dayShift = 52;

const jsonLines = (samples: readonly Sample[]): string =>
  samples.map((sample) => `${JSON.stringify(sample)}\n`).join("");

const cell = (value: unknown): string => {
  const text = typeof value === "string" ? value : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Samples of plain texts as CSV, with their labels and meta in columns of their own. */
function csvOf(samples: readonly Sample[]): string {
  const meta = [...new Set(samples.flatMap((sample) => Object.keys(sample.meta ?? {})))];
  const labels = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels ?? {})))];
  const header = [
    ...["id", "input", "output", "reference"],
    ...labels.map((name) => `labels.${name}`),
    ...meta.map((name) => `meta.${name}`),
  ];
  const rows = samples.map((sample) => [
    ...[sample.id, sample.input, sample.output, sample.reference],
    ...labels.map((name) => sample.labels?.[name]),
    ...meta.map((name) => sample.meta?.[name]),
  ]);
  return [header, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** An HTML page that calls itself a picture. */
const loginPage =
  '<!doctype html><html lang="zh"><title>请登录</title><p>登录后才能下载此文件。</p></html>\n';

export const posterMedia = "batches/poster-brief/2026-week-25/media";

export function batchFiles(): ReadonlyMap<string, Buffer> {
  const shop = shopDialogues();
  const posters = posterSamples();
  const choice = quizSamples({ material: "quiz-choice", prefix: "qc", seed: 40 });
  const numbers = quizSamples({ material: "quiz-number", prefix: "qn", seed: 50 });
  const written = writtenQuizSamples();
  const files = new Map<string, Buffer>();
  const expected: Expected[] = [];
  const put = (path: string, content: string | Buffer): void => {
    files.set(path, Buffer.isBuffer(content) ? content : Buffer.from(content, "utf8"));
  };
  const putBroken = (task: BrokenBatch, path: string, good: readonly Sample[]): void => {
    const made = withBrokenLines(task, path, good);
    expected.push(...made.expected);
    put(path, made.jsonLines);
  };

  put("tasks/shop-dialogue/examples.jsonl", jsonLines(shop.examples));
  put("tasks/poster-brief/examples.jsonl", jsonLines(posters.examples));
  put("tasks/quiz-exact/examples.jsonl", jsonLines(choice.examples));
  put("tasks/quiz-number/examples.jsonl", jsonLines([...numbers.examples, ...written.examples]));

  putBroken(
    "shop-dialogue",
    "batches/shop-dialogue/2026-06-18-day/samples.jsonl",
    shop.fresh.slice(0, dayShift),
  );
  put(
    "batches/shop-dialogue/2026-06-18-night/samples.jsonl.gz",
    gzipSync(jsonLines(shop.fresh.slice(dayShift))),
  );
  putBroken("poster-brief", "batches/poster-brief/2026-week-25/samples.jsonl", posters.fresh);
  put(`${posterMedia}/pst-login-page.jpg`, loginPage);
  putBroken("quiz-exact", "batches/quiz-exact/mock-exam/samples.jsonl", choice.fresh);
  put("batches/quiz-number/mock-exam/samples.csv", csvOf([...numbers.fresh, ...written.fresh]));

  put("batches/report-rubric/2026-week-25/samples.jsonl", jsonLines(memoSamples()));

  put("poison/expected.yaml", stringify(expected, { lineWidth: 110 }));
  for (const { file, bytes } of poisonFiles) put(`poison/${file}`, bytes);
  put(
    "poison/manifest.yaml",
    stringify(
      poisonFiles.map(({ bytes, ...entry }) => entry),
      { lineWidth: 110 },
    ),
  );
  return files;
}
