/** Runs many calls, a few at a time; used where AWS bounds the size of one call. */

/**
 * Answers in the order of `items`. All items are tried even if one fails; then the first failure is thrown,
 * so that no call is still running when the caller goes on.
 */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  limit: number,
  call: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      try {
        answers[index] = await call(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return answers;
}
