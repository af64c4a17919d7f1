/** The shop's products and their facts, hand-written in material/products-*.yaml. */
import { entry, items, material, text, texts } from "./material.ts";

export interface Fact {
  readonly topic: string;
  /** What the product page says. */
  readonly page: string;
  readonly ask: string;
  readonly right: string;
  readonly wrong: string;
}
export interface Product {
  readonly id: string;
  readonly family: string;
  readonly name: string;
  readonly facts: readonly Fact[];
  readonly tips: readonly string[];
}

const readFact = (cells: readonly string[], at: string): Fact => {
  const [topic, page, ask, right, wrong] = cells;
  if (!topic || !page || !ask || !right || !wrong || cells.length !== 5) {
    throw new Error(`${at} must have five texts: topic, page, question, true answer, false answer`);
  }
  return { topic, page, ask, right, wrong };
};

export const loadProducts = (): Product[] =>
  ["products-home", "products-wear", "products-daily"].flatMap((file) =>
    items(material(file)).map((node) => ({
      id: text(entry(node, "id")),
      family: text(entry(node, "family")),
      name: text(entry(node, "name")),
      facts: items(entry(node, "facts")).map((fact) => readFact(texts(fact), fact.at)),
      tips: texts(entry(node, "tips")),
    })),
  );

/** The product page that a dialogue is held against. */
export const pageOf = (product: Product): string =>
  [
    `商品：${product.name}（${product.family}）`,
    ...product.facts.map((fact) => `${fact.topic}：${fact.page}`),
  ].join("\n");
