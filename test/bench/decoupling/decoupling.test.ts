/** The decoupling bench: what each way of asking shows the judge, whether drawn truths are true, how answers are counted. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildPrompt } from "@touchstone/core/domain/judge/prompt";
import { chatCompletionSchema } from "@touchstone/core/schema/chat";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gist } from "../../contract/records.ts";
import { type Arm, arms, askArm, promptInputOf } from "./arms.ts";
import { hallusionQuestions } from "./hallusion.ts";
import { drawQuestions } from "./made-questions.ts";
import { decouplingFigures } from "./measures.ts";
import type { PictureQuestion } from "./question.ts";

const question: PictureQuestion = {
  id: "q",
  category: "text",
  figure: "f",
  pair: "f",
  picture: new Uint8Array(),
  text: "标价是 ¥12.80 吗？",
  truth: true,
};
const seen = { gist: gist({ text: "> ¥12.80" }), dataUrls: ["data:image/png;base64,AAAA"] };

describe("the three ways of asking", () => {
  test.each<[Arm, boolean, boolean]>([
    ["image", true, false],
    ["gist", false, true],
    ["both", true, true],
  ])("%s: picture %s, gist %s, and the question", (arm, hasPicture, hasGist) => {
    const prompt = JSON.stringify(buildPrompt(promptInputOf(question, arm, seen, "zh")).messages);
    expect(prompt.includes("data:image/png;base64,AAAA")).toBe(hasPicture);
    expect(prompt.includes("> ¥12.80")).toBe(hasGist);
    expect(prompt).toContain(question.text);
  });

  test("the judge's answer is read as SCORE reads it; what cannot be read is no answer", async () => {
    const saying = (content: string) => ({
      model: "m",
      complete: async () =>
        chatCompletionSchema.parse({ choices: [{ finish_reason: "stop", message: { content } }] }),
    });
    const ask = (content: string) => askArm(question, "both", seen, "zh", saying(content));
    expect(await ask('{"explanation":"看到了","evidence":[],"fields":{"answer":"Y"}}')).toBe(true);
    expect(await ask('{"explanation":"没有","evidence":[],"fields":{"answer":"N"}}')).toBe(false);
    expect(await ask("看不清")).toBeNull();
  });
});

describe("made pictures", () => {
  const drawings = drawQuestions(30, 7, "en");

  test("every picture has one question that is true and one that is not, and the same seed draws the same", () => {
    for (const { drawn } of drawings) {
      expect(drawn.asked.map(({ truth }) => truth)).toEqual([true, false]);
      expect(drawn.asked[0].text).not.toBe(drawn.asked[1].text);
    }
    expect(drawQuestions(30, 7, "en")).toEqual(drawings);
    expect(drawQuestions(30, 8, "en")).not.toEqual(drawings);
  });

  test("counts are the counts of what is drawn", () => {
    const paints: Readonly<Record<string, string>> = {
      red: "#d32f2f",
      blue: "#1565c0",
      green: "#2e7d32",
      yellow: "#fdd835",
      purple: "#6a1b9a",
    };
    for (const { drawn } of drawings.filter(({ category }) => category === "count")) {
      for (const { text, truth } of drawn.asked) {
        const [, number, colour = ""] = /exactly (\d+) (\w+)/.exec(text) ?? [];
        const there = drawn.html.split(`background:${paints[colour]}`).length - 1;
        expect(there === Number(number)).toBe(truth);
      }
    }
  });

  test("no direction is right in all pictures", () => {
    const right = drawings
      .filter(({ category }) => category === "position")
      .map(({ drawn }) => /left of|right of|above|below/.exec(drawn.asked[0].text)?.[0]);
    expect(new Set(right).size).toBe(4);
  });
});

describe("HallusionBench", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "touchstone-hallusion-"));
    const row = (figure: string, filename: string | null) => ({
      ...{ category: "VS", subcategory: "chart", set_id: "0", question_id: "1", sample_note: "x" },
      ...{ figure_id: figure, question: "Is it so?", gt_answer: "1", filename },
    });
    const rows = [row("0", null), row("1", "./VS/chart/0_1.png"), row("2", "./VS/chart/0_2.png")];
    await mkdir(path.join(folder, "VS/chart"), { recursive: true });
    await writeFile(path.join(folder, "HallusionBench.json"), JSON.stringify(rows));
    await writeFile(path.join(folder, "VS/chart/0_1.png"), "png");
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("questions with a picture are asked, the others counted", async () => {
    const { questions, ...left } = await hallusionQuestions(folder);
    expect(left).toEqual({ withoutPicture: 1, missing: 1 });
    expect(questions).toMatchObject([
      {
        id: "VS/chart/0/1/1",
        category: "VS/chart",
        figure: "VS/chart/0/1",
        pair: "VS/chart/0/q1",
        truth: true,
      },
    ]);
  });

  test("a folder without any of the pictures is refused by name", async () => {
    await expect(hallusionQuestions(path.join(folder, "VS"))).rejects.toThrow(/VS.*0_1\.png|cannot|ENOENT/);
  });
});

test("figures: accuracy, whole figures and pairs, and what the gist mended and broke", () => {
  const asked = (figure: string, category: string, truth: boolean, ...said: readonly (boolean | null)[]) => ({
    question: { figure, category, pair: figure, truth },
    said: { image: said[0] ?? null, gist: said[1] ?? null, both: said[2] ?? null },
  });
  const figures = decouplingFigures([
    asked("a", "text", true, false, true, true),
    asked("a", "text", false, false, false, false),
    asked("b", "count", true, true, null, false),
    asked("b", "count", false, false, false, false),
  ]);
  expect(figures).toMatchObject({
    questions: 4,
    yesTruth: 0.5,
    arms: {
      image: { accuracy: 0.75, figureAccuracy: 0.5, byCategory: { text: 0.5, count: 1 }, unanswered: 0 },
      gist: { accuracy: 0.75, figureAccuracy: 0.5, byCategory: { text: 1, count: 0.5 }, unanswered: 1 },
      both: { accuracy: 0.75, figureAccuracy: 0.5 },
    },
    gain: { bothOverImage: { points: 0, mended: 1, broke: 1, p: 1 } },
  });
  expect(Object.keys(figures.arms)).toEqual([...arms]);
  expect(() => decouplingFigures([])).toThrow("no question");
});
