/** @module */

/**
 * Values by key, each made at the first request. Only those that were asked for latest are kept.
 *
 * @example
 * ```ts
 * import { LruCache } from "./lru_cache.ts";
 *
 * const cache = new LruCache<number>(2);
 * const keys = ["one", "two", "one", "three", "one", "two"];
 * const made = keys.map((key, index) => cache.get(key, () => index));
 * // "three" took the place of "two", which was asked for least recently.
 * if (made.join() !== "0,1,0,3,0,5") throw new Error(made.join());
 * ```
 */
export class LruCache<V> {
  /** In the order of the requests, the latest last. */
  readonly #values = new Map<string, V>();
  readonly #maxValues: number;

  /** Makes an empty cache, which keeps `maxValues` values. */
  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  /** The value of a key; what `make` throws is thrown, and nothing is kept. */
  get(key: string, make: () => V): V {
    const values = this.#values;
    const value = values.has(key) ? values.get(key) as V : make();
    values.delete(key);
    values.set(key, value);
    if (values.size > this.#maxValues) {
      const [oldest] = values.keys();
      values.delete(oldest as string);
    }
    return value;
  }
}
