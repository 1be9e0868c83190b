/**
 * How long a row of a text file may be.
 *
 * @module
 */

/** A limit for rows, which keeps a file without line ends from filling the memory. */
export interface RowLimit {
  /** Maximum bytes of a row. Absent: as many as its format can have. */
  readonly rowBytes?: number | undefined;
}

/** Rows of fewer bytes are read whatever the limit, since so many are read at a time. */
const leastRowBytes = 1 << 20;

/** The smaller of two limits in bytes, and why it is one. */
export function rowLimit(
  { rowBytes = Infinity }: RowLimit,
  formatBytes: number,
  formatWhy: string,
): { readonly bytes: number; readonly why: string } {
  return rowBytes < formatBytes
    ? { bytes: Math.max(rowBytes, leastRowBytes), why: "the limit of memory (--memory)" }
    : { bytes: formatBytes, why: formatWhy };
}
