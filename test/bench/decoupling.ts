/** What a separate description of a picture is worth to a judge: `npm run bench -- decoupling [--judge URL] [--hallusion DIR]`. */
import { parseArgs } from "node:util";
import type { ChatModel } from "@touchstone/core/ports";
import { chatModel } from "../../functions/_aws/chat-model.ts";
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { sharpNormaliser } from "../../functions/_aws/sharp-normaliser.ts";
import { inParallel } from "../../functions/_batch/in-parallel.ts";
import { onlyModel } from "../../infra/cli/probe-judge.ts";
import { seePicture } from "../../infra/cli/see-picture.ts";
import { openSeeingModels, type SeeingModels } from "../../infra/cli/seeing-models.ts";
import { startBaselineJudge } from "../../infra/endpoints/baseline-judge/server.ts";
import { type Arm, arms, askArm, type SeenPicture } from "./decoupling/arms.ts";
import { hallusionQuestions } from "./decoupling/hallusion.ts";
import { madeQuestions } from "./decoupling/made-questions.ts";
import { type Asked, decouplingFigures } from "./decoupling/measures.ts";
import type { PictureQuestion } from "./decoupling/question.ts";

export const describe =
  "what a judge answers about pictures from the image, from its gist, from both: [--judge URL] [--hallusion DIR]";

export const help = `Options
  --judge URL       an OpenAI-compatible server, or sagemaker:ENDPOINT (default: the baseline judge, started for this)
  --model NAME      the model asked for (default: $JUDGE_MODEL, else the only one it lists); a key is taken from $JUDGE_API_KEY
  --hallusion DIR   HallusionBench with its pictures in DIR (VS/chart/0_1.png …); HallusionBench.json from there, else from
                    ../shared/data/hallusionbench. Only questions that have a picture are asked
  --pictures N      made pictures for each category (8), two questions about each
  --limit N         of the questions, evenly over all
  --lang zh|en      of made questions and of the prompts (zh; HallusionBench: en)
  --seed N          of the made pictures (1)
Descriptions are those of $CAPTIONER_URL and $STRATEGY_URL, else of the embedded models.

The judge gets SCORE's own prompt three times: with the picture alone, with its gist alone, with both.
accuracy        share of questions answered rightly; what cannot be read counts as wrong (unanswered), interval: 95 %, Wilson
figureAccuracy  share of pictures with all their questions right
pairAccuracy    share of questions right on every picture they are asked of (HallusionBench), or right both ways (made ones)
gain            of both over image alone (and over gist alone): points, questions mended and broken, McNemar's p
note            what these figures do not say`;

const inFlight = 4;
const timeoutMs = 120_000;

interface Options {
  readonly judge?: string | undefined;
  readonly model?: string | undefined;
  readonly hallusion?: string | undefined;
  readonly pictures: string;
  readonly limit?: string | undefined;
  readonly lang?: string | undefined;
  readonly seed: string;
}

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      judge: { type: "string" },
      model: { type: "string" },
      hallusion: { type: "string" },
      pictures: { type: "string", default: "8" },
      limit: { type: "string" },
      lang: { type: "string" },
      seed: { type: "string", default: "1" },
    },
  });
  const language = languageOf(values);
  const set = await questionsOf(values, language);
  const baseline = values.judge === undefined ? await startBaselineJudge({ port: 0 }) : null;
  const models = await openSeeingModels(process.env, () => undefined);
  try {
    const judge = await judgeOf(values.judge ?? baseline?.url ?? "", values.model);
    const { asked, undescribed } = await askAll(set.questions, language, judge, models);
    return {
      ...decouplingFigures(asked),
      source: set.source,
      undescribed,
      judge: judge.model,
      captioner: models.captioner.model,
      note: noteOf(baseline !== null, models.embedded.captioner),
    };
  } finally {
    await models.stop();
    await baseline?.close();
  }
}

const languageOf = ({ lang, hallusion }: Options): "zh" | "en" => {
  if (lang === "zh" || lang === "en") return lang;
  if (lang !== undefined) throw new Error(`--lang takes zh or en, not "${lang}"`);
  return hallusion === undefined ? "zh" : "en";
};

const questionsOf = async (
  { hallusion, pictures, seed, limit }: Options,
  language: "zh" | "en",
): Promise<{ readonly questions: readonly PictureQuestion[]; readonly source: object }> => {
  if (hallusion === undefined) {
    const questions = await madeQuestions(Number(pictures), Number(seed), language);
    return { questions: evenly(questions, limit), source: { set: "made", seed: Number(seed) } };
  }
  const { questions, ...left } = await hallusionQuestions(hallusion);
  return { questions: evenly(questions, limit), source: { set: "HallusionBench", ...left } };
};

const evenly = (
  questions: readonly PictureQuestion[],
  limit: string | undefined,
): readonly PictureQuestion[] => {
  const most = Math.min(questions.length, limit === undefined ? questions.length : Number(limit));
  return Array.from({ length: most }, (_, index) =>
    questions.slice(Math.floor((index * questions.length) / most)).slice(0, 1),
  ).flat();
};

const judgeOf = async (url: string, model: string | undefined): Promise<ChatModel> =>
  chatModel(url, model ?? (process.env.JUDGE_MODEL || (await onlyModel(url))), {
    sageMaker: sageMakerClient,
    timeoutMs,
    clock: Date.now,
    apiKey: process.env.JUDGE_API_KEY || undefined,
  });

/** Every picture is described once; a picture that cannot be is counted, and its questions are left out. */
const askAll = async (
  questions: readonly PictureQuestion[],
  language: "zh" | "en",
  judge: ChatModel,
  models: SeeingModels,
): Promise<{ readonly asked: readonly Asked[]; readonly undescribed: number }> => {
  const figures = Map.groupBy(questions, ({ figure }) => figure);
  const asked: Asked[] = [];
  let undescribed = 0;
  for (const [figure, members] of figures) {
    const seen = await describedOf(figure, members, language, models);
    if (seen === null) {
      undescribed += 1;
      continue;
    }
    const answered = await inParallel(members, inFlight, async (question) => ({
      question,
      said: await askEveryWay(question, seen, language, judge),
    }));
    asked.push(...answered);
    console.error(`${figure}: ${asked.length} of ${questions.length} questions`);
  }
  return { asked, undescribed };
};

const describedOf = async (
  figure: string,
  [first]: readonly PictureQuestion[],
  language: "zh" | "en",
  models: SeeingModels,
): Promise<SeenPicture | null> => {
  if (first === undefined) return null;
  const seen = await seePicture(figure, first.picture, "image", language, {
    ...models,
    normaliser: sharpNormaliser(),
  });
  if (seen.kind === "problem") {
    console.error(`${figure}: ${seen.problem.message}`);
    return null;
  }
  const dataUrls = seen.shown.map(
    ({ mediaType, bytes }) => `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`,
  );
  return { gist: seen.gist, dataUrls };
};

const askEveryWay = async (
  question: PictureQuestion,
  seen: SeenPicture,
  language: "zh" | "en",
  judge: ChatModel,
): Promise<Record<Arm, boolean | null>> => {
  const said: Record<Arm, boolean | null> = { image: null, gist: null, both: null };
  for (const arm of arms) said[arm] = await askArm(question, arm, seen, language, judge);
  return said;
};

const noteOf = (isBaseline: boolean, isEmbeddedCaptioner: boolean): string | null => {
  const notes = [
    ...(isBaseline
      ? [
          "The judge is the baseline: it weighs words and looks at no picture, so these figures show that the harness runs, and say nothing of the method. Name a vision model with --judge.",
        ]
      : []),
    ...(isEmbeddedCaptioner
      ? [
          "The captioner is the embedded one: it reads text and counts colours, and identifies no object. Name a vision model with CAPTIONER_URL.",
        ]
      : []),
  ];
  return notes.length === 0 ? null : notes.join(" ");
};
