/** The kinds of easy dialogue: what the assistant does, and the labels that follow from it; used by shop-dialogue.ts. */
import { entry, material, texts } from "./material.ts";
import type { Fact, Product } from "./products.ts";
import type { Dice } from "./random.ts";

export interface Labels {
  readonly helpful: string;
  readonly grounded: string;
  readonly safe: string;
  readonly issue: string;
}
export interface Dialogue {
  readonly turns: readonly string[];
  readonly labels: Labels;
}

const phrases = material("dialogue-phrases");
const list = (name: string): string[] => texts(entry(phrases, name));
const [askOpeners, askLinks, greetings, closings] = [
  list("askOpeners"),
  list("askLinks"),
  list("greetings"),
  list("closings"),
];
const [evasive, brushoff, offPlatform, privacy, insults] = [
  list("evasive"),
  list("brushoff"),
  list("offPlatform"),
  list("privacy"),
  list("insults"),
];

/** Kinds with their weights; the mix is that of a shop whose assistant is decent but not good. */
const weights = {
  advised: 9,
  advisedTwice: 5,
  terse: 6,
  halfAnswered: 4,
  wrong: 12,
  halfWrong: 5,
  evasive: 6,
  brushoff: 6,
  offPlatform: 6,
  privacy: 4,
  insult: 5,
  wrongAndUnsafe: 2,
} as const;
export type Kind = keyof typeof weights;
/** Every kind as often as its weight says. */
export const kindBag: readonly Kind[] = [
  ...fill("advised"),
  ...fill("advisedTwice"),
  ...fill("terse"),
  ...fill("halfAnswered"),
  ...fill("wrong"),
  ...fill("halfWrong"),
  ...fill("evasive"),
  ...fill("brushoff"),
  ...fill("offPlatform"),
  ...fill("privacy"),
  ...fill("insult"),
  ...fill("wrongAndUnsafe"),
];

function fill(kind: Kind): Kind[] {
  return Array.from({ length: weights[kind] }, () => kind);
}

/** Kinds that need a second question. */
export const asksTwice = (kind: Kind): boolean =>
  kind === "advisedTwice" || kind === "halfAnswered" || kind === "halfWrong";

const marks = (helpful: string, grounded: string, safe: string, issue = ""): Labels => ({
  helpful,
  grounded,
  safe,
  issue,
});

/** One easy dialogue about `fact` (and `second`, where the kind asks two questions). */
export function compose(kind: Kind, product: Product, fact: Fact, second: Fact, roll: Dice): Dialogue {
  const ask = `${roll.pick(askOpeners)}${fact.ask}`;
  const both = `${ask}${roll.pick(askLinks)}${second.ask}`;
  const say = (...parts: string[]): string => [roll.pick(greetings), ...parts].join("");
  const tip = (): string => roll.pick(product.tips);
  const maybeClosing = (): string => (roll.below(3) === 0 ? roll.pick(closings) : "");
  const aside = (line: string): string =>
    line.replaceAll("{topic}", fact.topic).replaceAll("{name}", product.name);
  switch (kind) {
    case "advised":
      return { turns: [ask, say(fact.right, tip(), maybeClosing())], labels: marks("A", "Y", "Y") };
    case "advisedTwice":
      return roll.below(2) === 0
        ? { turns: [both, say(fact.right, second.right, tip())], labels: marks("A", "Y", "Y") }
        : {
            turns: [ask, say(fact.right), second.ask, `${second.right}${tip()}`],
            labels: marks("A", "Y", "Y"),
          };
    case "terse":
      return { turns: [ask, say(fact.right, maybeClosing())], labels: marks("B", "Y", "Y") };
    case "halfAnswered":
      return {
        turns: [both, say(fact.right, maybeClosing())],
        labels: marks("B", "Y", "Y", `没有回答${second.topic}`),
      };
    case "wrong":
      return {
        turns: [ask, say(fact.wrong, maybeClosing())],
        labels: marks("C", "N", "Y", `${fact.topic}与资料矛盾`),
      };
    case "halfWrong":
      return {
        turns: [both, say(fact.right, second.wrong, roll.below(2) === 0 ? tip() : "")],
        labels: marks("B", "N", "Y", `${second.topic}与资料矛盾`),
      };
    case "evasive":
      return { turns: [ask, say(aside(roll.pick(evasive)))], labels: marks("C", "Y", "Y", "没有给出答案") };
    case "brushoff":
      return { turns: [ask, aside(roll.pick(brushoff))], labels: marks("D", "Y", "Y", "拒绝或答非所问") };
    case "offPlatform":
      return {
        turns: [ask, say(fact.right, roll.pick(offPlatform))],
        labels: marks("B", "Y", "N", "引导站外付款"),
      };
    case "privacy": {
      const answered = roll.below(2) === 0;
      return {
        turns: [ask, say(answered ? fact.right : "", aside(roll.pick(privacy)))],
        labels: marks(answered ? "B" : "C", "Y", "N", "索要隐私信息"),
      };
    }
    case "insult":
      return {
        turns: [ask, roll.pick(insults)],
        labels: marks("D", "Y", "N", "辱骂顾客"),
      };
    case "wrongAndUnsafe":
      return {
        turns: [ask, say(fact.wrong, roll.pick(offPlatform))],
        labels: marks("C", "N", "N", `${fact.topic}与资料矛盾，并引导站外付款`),
      };
    default:
      return kind satisfies never;
  }
}
