/** Spreads records over the shards of an index, so that no index partition takes every write. */

/**
 * FNV-1a over UTF-16 units, mixed by MurmurHash3's finaliser, modulo `shards`. Without the mixing, names that
 * hold one counter twice fall into few shards. The same text always falls into the same shard.
 */
export const shardOf = (text: string, shards: number): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % shards;
};
