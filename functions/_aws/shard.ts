/** Spreads records over the shards of an index, so that no index partition takes every write. */

/** FNV-1a over UTF-16 units, modulo `shards`; the same text always falls into the same shard. */
export const shardOf = (text: string, shards: number): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % shards;
};
