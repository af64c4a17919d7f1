/** Makes the shopping dialogues out of hand-written material; called by events/generate-demo.ts. */
import type { Sample } from "@touchstone/core/schema/sample";
import type { DemoSamples } from "./demo-samples.ts";
import { asksTwice, compose, kindBag, type Labels } from "./dialogue-kinds.ts";
import { entry, items, material, text, texts } from "./material.ts";
import { loadProducts, type Product, pageOf } from "./products.ts";
import { dice } from "./random.ts";

/** How many of each difficulty the fresh batch has; all others are the labelled set. */
const fresh = { easy: 54, hard: 15, hopeless: 7 } as const;
type Difficulty = keyof typeof fresh;
const easyTotal = 134;
const factsPerProduct = 6;

type Draft = Omit<Sample, "id">;

const sampleOf = (
  product: Product,
  turns: readonly string[],
  labels: Labels,
  difficulty: Difficulty,
): Draft => ({
  messages: turns.map((content, turn) => ({ role: turn % 2 === 0 ? "user" : "assistant", content })),
  reference: pageOf(product),
  labels: {
    helpful: labels.helpful,
    grounded: labels.grounded,
    safe: labels.safe,
    ...(labels.issue === "" ? {} : { issue: labels.issue }),
  },
  meta: { family: product.family, product: product.id, difficulty },
});

/** Every fact is asked about about once; a product's next fact serves as the second question. */
function easyDialogues(products: readonly Product[]): Draft[] {
  const roll = dice(20_260_101);
  const kinds = roll.shuffle(
    Array.from({ length: easyTotal }, (_, index) => kindBag[index % kindBag.length] ?? "advised"),
  );
  const facts = roll.shuffle(
    products.flatMap((product) =>
      Array.from({ length: factsPerProduct }, (_, index) => ({ product, index })),
    ),
  );
  return kinds.map((kind, index) => {
    const place = facts[index % facts.length];
    const fact = place?.product.facts[place.index];
    const second = place?.product.facts[(place.index + 1) % factsPerProduct];
    if (!place || !fact || !second) throw new Error(`${place?.product.id} needs ${factsPerProduct} facts`);
    const dialogue = compose(kind, place.product, fact, asksTwice(kind) ? second : fact, roll);
    return sampleOf(place.product, dialogue.turns, dialogue.labels, "easy");
  });
}

function writtenDialogues(products: readonly Product[], difficulty: "hard" | "hopeless"): Draft[] {
  return items(material(`dialogues-${difficulty}`)).map((node) => {
    const product = products.find((candidate) => candidate.id === text(entry(node, "p")));
    const [helpful, grounded, safe] = texts(entry(node, "l"));
    if (!product || !helpful || !grounded || !safe) {
      throw new Error(`${node.at} needs a known product p and three labels l`);
    }
    const labels = { helpful, grounded, safe, issue: text(entry(node, "i"), "") };
    return sampleOf(product, texts(entry(node, "m")), labels, difficulty);
  });
}

/** The labelled set and the fresh batch, each in mixed order. */
export function shopDialogues(): DemoSamples {
  const products = loadProducts();
  const roll = dice(7);
  const byDifficulty: Record<Difficulty, Draft[]> = {
    easy: easyDialogues(products),
    hard: roll.shuffle(writtenDialogues(products, "hard")),
    hopeless: roll.shuffle(writtenDialogues(products, "hopeless")),
  };
  const drafts = Object.entries(byDifficulty);
  const taken = (difficulty: string): number =>
    difficulty === "easy" ? fresh.easy : difficulty === "hard" ? fresh.hard : fresh.hopeless;
  const number = (prefix: string, list: readonly Draft[]): Sample[] =>
    roll
      .shuffle(list)
      .map((draft, index) => ({ id: `${prefix}-${String(index + 1).padStart(3, "0")}`, ...draft }));
  return {
    fresh: number(
      "dlg",
      drafts.flatMap(([difficulty, list]) => list.slice(0, taken(difficulty))),
    ),
    examples: number(
      "dlg-ex",
      drafts.flatMap(([difficulty, list]) => list.slice(taken(difficulty))),
    ),
  };
}
