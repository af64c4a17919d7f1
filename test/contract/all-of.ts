/** Collects a stream, for suites that compare whole answers. */
export const allOf = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};
