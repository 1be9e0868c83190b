/**
 * The limit for the length of rows in text files.
 *
 * @module
 */

/** A limit for rows: it keeps a file without line ends from filling the memory. */
export interface RowLimit {
  /** The most bytes of a row. Default: those that its format can have. */
  readonly rowBytes?: number | undefined;
}

/** Rows of fewer bytes are always read, since this many bytes are read at a time. */
const leastRowBytes = 1 << 20;

/** Returns the smaller of two limits in bytes, and its reason. */
export function rowLimit(
  { rowBytes = Infinity }: RowLimit,
  formatBytes: number,
  formatWhy: string,
): { readonly bytes: number; readonly why: string } {
  return rowBytes < formatBytes
    ? { bytes: Math.max(rowBytes, leastRowBytes), why: "the limit of memory (--memory)" }
    : { bytes: formatBytes, why: formatWhy };
}
