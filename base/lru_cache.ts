/**
 * A cache that keeps the most recently used values.
 *
 * @module
 */

/** Values by key, each created at its first request. The least recently requested one is dropped first. */
export class LruCache<V> {
  /** In the order of their latest requests. */
  readonly #values = new Map<string, V>();
  readonly #maxValues: number;

  /** Creates an empty cache of at most `maxValues` values. */
  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  /** Returns the value of a key, created by `make` if absent. If `make` throws, so does this, and caches nothing. */
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
