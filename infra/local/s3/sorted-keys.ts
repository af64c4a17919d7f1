/** A bucket's keys in S3's order, which is the order of their UTF-8 bytes. */

/** Compares by UTF-8 bytes. UTF-16 order differs only where a surrogate meets U+E000 to U+FFFF. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return utf8Rank(left) - utf8Rank(right);
  }
  return a.length - b.length;
}

function utf8Rank(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return isSurrogate ? unit + 0x10000 : unit;
}

export class SortedKeys {
  readonly #keys: string[];

  constructor(keys: Iterable<string>) {
    this.#keys = [...keys].sort(compareKeys);
  }

  add(key: string): void {
    const index = this.firstFrom(key);
    if (this.#keys[index] !== key) this.#keys.splice(index, 0, key);
  }

  remove(key: string): void {
    const index = this.firstFrom(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  at(index: number): string | undefined {
    return this.#keys[index];
  }

  /** Index of the first key at or after `key`. */
  firstFrom(key: string): number {
    return this.#firstWhere((candidate) => compareKeys(candidate, key) >= 0);
  }

  /** Index of the first key after `key`. */
  firstAfter(key: string): number {
    return this.#firstWhere((candidate) => compareKeys(candidate, key) > 0);
  }

  /** Index of the first key after every key that starts with `prefix`. */
  firstPast(prefix: string): number {
    return this.#firstWhere(
      (candidate) => compareKeys(candidate, prefix) > 0 && !candidate.startsWith(prefix),
    );
  }

  #firstWhere(holds: (key: string) => boolean): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const key = this.#keys[middle];
      if (key !== undefined && holds(key)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
