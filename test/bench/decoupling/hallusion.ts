/** HallusionBench's questions with the pictures of a folder; the benchmark's own files hold no pictures. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import type { PictureQuestion } from "./question.ts";

const rowSchema = z.looseObject({
  category: z.string(),
  subcategory: z.string(),
  set_id: z.string(),
  figure_id: z.string(),
  question_id: z.string(),
  question: z.string(),
  gt_answer: z.enum(["0", "1"]),
  /** Null for questions that are asked without a picture. */
  filename: z.string().nullable(),
});

const fileName = "HallusionBench.json";
const beside = path.resolve(import.meta.dirname, "../../../../shared/data/hallusionbench", fileName);

export interface HallusionQuestions {
  readonly questions: readonly PictureQuestion[];
  /** Questions that are asked without a picture, and have no place in this experiment. */
  readonly withoutPicture: number;
  /** Questions whose picture is not in the folder. */
  readonly missing: number;
}

/** Pictures lie where `filename` says, below the folder or below `hallusion_bench/` in it. */
export const hallusionQuestions = async (folder: string): Promise<HallusionQuestions> => {
  const own = path.join(folder, fileName);
  const text = await readFile(existsSync(own) ? own : beside, "utf8");
  const rows = z.array(rowSchema).parse(JSON.parse(text));
  const questions: PictureQuestion[] = [];
  let [withoutPicture, missing] = [0, 0];
  for (const row of rows) {
    if (row.filename === null) {
      withoutPicture += 1;
      continue;
    }
    const file = [folder, path.join(folder, "hallusion_bench")]
      .map((root) => path.join(root, row.filename ?? ""))
      .find((candidate) => existsSync(candidate));
    if (file === undefined) {
      missing += 1;
      continue;
    }
    const place = `${row.category}/${row.subcategory}/${row.set_id}`;
    questions.push({
      id: `${place}/${row.figure_id}/${row.question_id}`,
      category: `${row.category}/${row.subcategory}`,
      figure: `${place}/${row.figure_id}`,
      pair: `${place}/q${row.question_id}`,
      picture: await readFile(file),
      text: row.question,
      truth: row.gt_answer === "1",
    });
  }
  if (questions.length === 0)
    throw new Error(`${folder} holds none of the pictures that ${fileName} names, such as VS/chart/0_1.png`);
  return { questions, withoutPicture, missing };
};
