/** Makes the objective questions and the answers of two imaginary models; called by events/generate-demo.ts. */
import type { Sample } from "@touchstone/core/schema/sample";
import type { DemoSamples } from "./demo-samples.ts";
import { entry, items, material, type Node, text, texts } from "./material.ts";
import { dice } from "./random.ts";

const answerKinds = ["right", "wrong", "undecided"] as const;
type AnswerKind = (typeof answerKinds)[number];

interface Question {
  readonly ask: string;
  readonly subject: string;
  readonly language: string;
  readonly answers: Readonly<Record<"right" | "wrong", { value: string; shown: string; because: string }>>;
}
export interface Quiz {
  readonly material: "quiz-choice" | "quiz-number";
  readonly prefix: string;
  readonly seed: number;
}

const phrases = material("quiz-phrases");
const stylesOf = (quiz: Quiz, language: string, list: "decided" | "hard" | "undecided"): string[] =>
  texts(entry(entry(entry(phrases, quiz.material), language), list));

function readQuestion(node: Node): Question {
  const at = (key: string): string => text(entry(node, key));
  const options = texts(entry(node, "o"));
  const letter = (index: number): string => String.fromCharCode(65 + index);
  const unit = text(entry(node, "u"), "");
  const spaced = unit === "" ? "" : ` ${unit}`;
  const optionOf = (letters: string): string =>
    [...letters].map((one) => options[one.charCodeAt(0) - 65] ?? "").join("、");
  const answer = (value: string, because: string) => ({
    value,
    shown: options.length > 0 ? optionOf(value) : `${value}${spaced}`,
    because,
  });
  return {
    ask: [at("q"), ...options.map((option, index) => `${letter(index)}. ${option}`)].join("\n"),
    subject: at("s"),
    language: at("l"),
    answers: { right: answer(at("a"), at("r")), wrong: answer(at("w"), at("v")) },
  };
}

/** Fills a phrase: `{x}` the answer, `{o}` it in words, `{r}` the thought, `{y}` the other answer. */
function fill(style: string, question: Question, kind: AnswerKind): string {
  const own = question.answers[kind === "wrong" ? "wrong" : "right"];
  const other = question.answers[kind === "wrong" ? "right" : "wrong"];
  return style
    .replaceAll("{x}", own.value)
    .replaceAll("{o}", own.shown)
    .replaceAll("{r}", own.because)
    .replaceAll("{y}", other.value);
}

/** Twelve answers in twenty are right, six wrong, two decide nothing. */
const mix: readonly AnswerKind[] = [
  ...Array.from({ length: 12 }, () => "right" as const),
  ...Array.from({ length: 6 }, () => "wrong" as const),
  ...Array.from({ length: 2 }, () => "undecided" as const),
];

/** Every question once in each set, so that the sets share questions but no answer's kind is given by the other. */
export function quizSamples(quiz: Quiz): DemoSamples {
  const questions = items(material(quiz.material)).map(readQuestion);
  const answered = (seed: number, prefix: string, model: string, count: number): Sample[] => {
    const roll = dice(seed);
    const kinds = roll.shuffle(
      Array.from({ length: count }, (_, index) => mix[index % mix.length] ?? "right"),
    );
    const order = [...roll.shuffle(questions), ...roll.shuffle(questions)].slice(0, count);
    return order.map((question, index) => {
      const kind = kinds[index] ?? "right";
      const list = kind === "undecided" ? kind : roll.below(6) === 0 ? "hard" : "decided";
      return {
        id: `${prefix}-${String(index + 1).padStart(3, "0")}`,
        input: question.ask,
        output: fill(roll.pick(stylesOf(quiz, question.language, list)), question, kind),
        reference: question.answers.right.value,
        labels: { correct: kind === "right" ? "Y" : "N" },
        meta: {
          family: question.subject,
          language: question.language,
          difficulty: list === "undecided" ? "hopeless" : list === "hard" ? list : "easy",
          model,
        },
      };
    });
  };
  return {
    examples: answered(quiz.seed, `${quiz.prefix}-ex`, "model-a", questions.length + 8),
    fresh: answered(quiz.seed + 1, quiz.prefix, "model-b", questions.length),
  };
}
