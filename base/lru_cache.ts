/**
 * A cache that keeps the values that were requested last.
 *
 * @module
 */

/** Values by key, each created at its first request. Only the most recently requested ones are kept. */
export class LruCache<V> {
  /** In the order of requests, the latest last. */
  readonly #values = new Map<string, V>();
  readonly #maxValues: number;

  /** Creates an empty cache of at most `maxValues` values. */
  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  /** Returns the value of a key. If `make` throws, so does this, and nothing is kept. */
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
