/** A set of sample ids for files of millions of lines: 64-bit hashes in open addressing, 8 bytes a slot. */

/** Two 32-bit halves of a 64-bit hash of UTF-16 code units (two lanes of multiply-xorshift mixing). */
export const hash64 = (text: string): readonly [high: number, low: number] => {
  let high = 0xdeadbeef ^ text.length;
  let low = 0x41c6ce57 ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high >>> 0, low >>> 0];
};

export interface IdSet {
  /** True if the id was not there yet. Two ids are taken as one with a chance of about n² ÷ 2⁶⁵. */
  add(id: string): boolean;
  readonly size: number;
}

/** An empty set; it doubles whenever two thirds are taken. */
export const createIdSet = (): IdSet => {
  let capacity = 1024;
  let highs = new Uint32Array(capacity);
  let lows = new Uint32Array(capacity);
  let size = 0;

  const place = (high: number, low: number): boolean => {
    let slot = low & (capacity - 1);
    while (highs[slot] !== 0 || lows[slot] !== 0) {
      if (highs[slot] === high && lows[slot] === low) return false;
      slot = (slot + 1) & (capacity - 1);
    }
    highs[slot] = high;
    lows[slot] = low;
    return true;
  };
  const grow = (): void => {
    const [oldHighs, oldLows] = [highs, lows];
    capacity *= 2;
    highs = new Uint32Array(capacity);
    lows = new Uint32Array(capacity);
    oldHighs.forEach((high, slot) => {
      const low = oldLows[slot] ?? 0;
      if (high !== 0 || low !== 0) place(high, low);
    });
  };
  return {
    add(id) {
      if (size * 3 > capacity * 2) grow();
      const [high, low] = hash64(id);
      // 0,0 marks an empty slot.
      const added = high === 0 && low === 0 ? place(1, 0) : place(high, low);
      if (added) size += 1;
      return added;
    },
    get size() {
      return size;
    },
  };
};
