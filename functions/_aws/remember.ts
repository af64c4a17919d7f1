/** Remembers what a version of an object says, since a version never changes. */
import { errorKind } from "@touchstone/core/errors";

/**
 * `load`, with the answers of the last `most` versions kept. Callers at one time share one load. A load that
 * failed for the moment is forgotten; one that failed for good is remembered like an answer.
 */
export const rememberLatest = <Value>(
  most: number,
  load: (name: string, versionId: string) => Promise<Value>,
): ((name: string, versionId: string) => Promise<Value>) => {
  const known = new Map<string, Promise<Value>>();
  return (name, versionId) => {
    const key = JSON.stringify([name, versionId]);
    const found = known.get(key);
    if (found) {
      // The order of a Map is the order of insertion: asked for now, dropped last.
      known.delete(key);
      known.set(key, found);
      return found;
    }
    const loading = load(name, versionId);
    known.set(key, loading);
    loading.catch((error: unknown) => {
      if (errorKind(error) === "transient" && known.get(key) === loading) known.delete(key);
    });
    const oldest = known.keys().next().value;
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return loading;
  };
};
