/**
 * An index in the memory of its table, as plain data for threads.
 *
 * @module
 */

/** The place of an index in the memory of its table, and the parameters of its kernels. */
export type IndexPlaces =
  | {
    readonly kind: "dense";
    readonly width: 1 | 2;
    readonly rows: number;
    readonly numValues: number;
    readonly least: { readonly low: number; readonly high: number };
  }
  | {
    readonly kind: "hash";
    readonly width: 1 | 2 | 3;
    /**
     * The kind of keys that the words are: text, pairs of words whose value fits one, or null for
     * plain words.
     */
    readonly packs: "text" | "pairs" | null;
    readonly slots: number;
    readonly numBytes: number;
    /** 32 minus the binary logarithm of the number of slots. */
    readonly shift: number;
    readonly factors: readonly [number, number, number];
  }
  | {
    readonly kind: "text";
    readonly slots: number;
    readonly numBytes: number;
    readonly shift: number;
    readonly seed: number;
  };
