/**
 * Buckets of sorted keys, which shorten a binary search.
 *
 * @module
 */

/**
 * Sorted keys in buckets of equal width, as many as keys: if the keys are spread evenly, a search within
 * a bucket takes a step or two instead of one for each bit of their number. Keys that lie close together
 * share a bucket, and a binary search tells them apart.
 */
export class KeyBuckets {
  /** The place of the first key of each bucket, and that of the end. */
  readonly starts: Int32Array;
  readonly #least: number;
  readonly #scale: number;

  /** Divides sorted keys, which may be infinite but not NaN. */
  constructor(keys: Float64Array) {
    const finite = keys.subarray(
      keys.lastIndexOf(-Infinity) + 1,
      keys.includes(Infinity) ? keys.indexOf(Infinity) : keys.length,
    );
    const width = finite.length === 0 ? 0 : finite.at(-1)! - finite[0]!;
    const scale = (finite.length - 1) / width;
    this.#least = finite[0] ?? 0;
    // A range of keys that is not finite, or has one key only, is one bucket.
    this.#scale = Number.isFinite(scale) ? scale : 0;
    this.starts = new Int32Array(Math.max(1, finite.length) + 1);
    for (let at = 0; at < keys.length; at++) this.starts[this.bucketOf(keys[at]!) + 1]!++;
    for (let bucket = 1; bucket < this.starts.length; bucket++) {
      this.starts[bucket]! += this.starts[bucket - 1]!;
    }
  }

  /** Returns the bucket of a key, which never decreases from a key to a greater one. */
  bucketOf(key: number): number {
    const place = (key - this.#least) * this.#scale;
    // NaN, from infinity times 0, counts as 0.
    return Math.max(0, Math.min(place, this.starts.length - 2)) | 0;
  }
}
