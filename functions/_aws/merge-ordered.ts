/** Merges ordered streams into one ordered stream; the sharded indexes are read through it. */

/** Each source must be in the order of `compare`. Sources are read no further than the consumer goes. */
export async function* mergeOrdered<Item>(
  sources: readonly AsyncIterable<Item>[],
  compare: (left: Item, right: Item) => number,
): AsyncGenerator<Item> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
    for (;;) {
      let first: { readonly index: number; readonly item: Item } | null = null;
      for (const [index, head] of heads.entries()) {
        if (head.done) continue;
        if (first === null || compare(head.value, first.item) < 0) first = { index, item: head.value };
      }
      if (first === null) return;
      yield first.item;
      const source = iterators[first.index];
      if (source) heads[first.index] = await source.next();
    }
  } finally {
    await Promise.all(iterators.map((iterator) => iterator.return?.()));
  }
}
