/** The number questions whose answers are written out by hand; called by batch-files.ts. */
import type { Sample } from "@touchstone/core/schema/sample";
import type { DemoSamples } from "./demo-samples.ts";
import { entry, items, material, type Node, text } from "./material.ts";

const sampleOf = (node: Node, id: string, model: string): Sample => {
  const at = (key: string): string => text(entry(node, key));
  return {
    id,
    input: at("q"),
    output: at("x"),
    reference: at("a"),
    labels: { correct: at("y") },
    meta: { family: at("s"), language: at("l"), difficulty: at("d"), model },
  };
};

export function writtenQuizSamples(): DemoSamples {
  const all = items(material("quiz-written"));
  const inSet = (set: keyof DemoSamples): Node[] => all.filter((node) => text(entry(node, "set")) === set);
  return {
    examples: inSet("examples").map((node, index) => sampleOf(node, `qw-ex-${index + 1}`, "model-a")),
    fresh: inSet("fresh").map((node, index) => sampleOf(node, `qw-${index + 1}`, "model-b")),
  };
}
