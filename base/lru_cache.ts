/** @module */

/** Values by key, each made at the first request. Only those that were asked for latest are kept. */
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
