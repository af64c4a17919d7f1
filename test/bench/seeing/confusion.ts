/** Counts of what a classifier said of pictures whose class is known; used by the strategy part of the seeing bench. */
import { type Strategy, type StrategyChoice, strategies } from "@touchstone/core/schema/gist";
import { rounded } from "../figures.ts";

export interface Classified {
  readonly file: string;
  readonly truth: Strategy;
  /** The sub-folder below the class, where there is one: a template, a texture, a source. */
  readonly group: string | null;
  readonly choice: Pick<StrategyChoice, "strategy" | "probabilities" | "unsure">;
}

type Counts = Record<string, Record<string, number>>;

/** Rows are the truth, columns what was said. `unsure` pictures count by the style they get, which is `mixed`. */
export const confusionOf = (classified: readonly Classified[]): object => {
  const three = count(classified, strategies, ({ choice }) => styleOf(choice));
  const plain = classified.filter(({ truth }) => truth !== "mixed");
  const two = count(plain, ["text", "picture"], ({ choice: { probabilities } }) =>
    probabilities.text >= probabilities.picture ? "text" : "picture",
  );
  const wrong = classified.filter(({ truth, choice }) => styleOf(choice) !== truth);
  const groups = Object.entries(Object.groupBy(classified, ({ truth, group }) => `${truth}/${group ?? ""}`));
  return {
    images: classified.length,
    accuracy: share(classified.length - wrong.length, classified.length),
    confusion: three,
    twoClass: { accuracy: share(diagonal(two), plain.length), confusion: two },
    unsure: classified.filter(({ choice }) => choice.unsure).length,
    groups: groups.map(([name, members = []]) => ({
      group: name.replace(/\/$/, ""),
      images: members.length,
      accuracy: share(
        members.filter(({ truth, choice }) => styleOf(choice) === truth).length,
        members.length,
      ),
    })),
    wrong: wrong.map(({ file, choice }) => ({
      file,
      said: styleOf(choice),
      probabilities: choice.probabilities,
    })),
  };
};

const styleOf = ({ strategy, unsure }: Classified["choice"]): Strategy => (unsure ? "mixed" : strategy);

const count = (
  items: readonly Classified[],
  names: readonly Strategy[],
  said: (item: Classified) => Strategy,
): Counts => {
  const row = (): Record<string, number> => Object.fromEntries(names.map((name) => [name, 0]));
  const counts: Counts = Object.fromEntries(names.map((name) => [name, row()]));
  for (const item of items) {
    const cells = counts[item.truth];
    if (cells) cells[said(item)] = (cells[said(item)] ?? 0) + 1;
  }
  return counts;
};

const diagonal = (counts: Counts): number =>
  Object.entries(counts).reduce((sum, [truth, row]) => sum + (row[truth] ?? 0), 0);

const share = (part: number, all: number): number | null => (all === 0 ? null : rounded(part / all, 4));
