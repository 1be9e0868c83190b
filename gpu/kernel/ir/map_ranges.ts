/**
 * Finds the ranges of characters that a map moves by the same amount.
 *
 * @module
 */

/** A range of characters that a map moves by the same amount. */
export interface MapRange<By = number> {
  readonly first: number;
  readonly last: number;
  readonly by: By;
}

/** Returns the ranges of a table of ASCII characters that change something, in order. */
export function rangesOf(table: Uint8Array): MapRange[] {
  return runsOf(table, (byte, char) => byte - char);
}

/** Returns the ranges of a table of characters for which `byOf` is the same and not 0, in order. */
export function runsOf<By>(
  table: Uint8Array,
  byOf: (byte: number, char: number) => By,
): MapRange<By>[] {
  const ranges: MapRange<By>[] = [];
  table.forEach((byte, char) => {
    const by = byOf(byte, char);
    const open = ranges.at(-1);
    if (by === 0) return;
    if (open !== undefined && open.last === char - 1 && open.by === by) {
      ranges[ranges.length - 1] = { ...open, last: char };
    } else {
      ranges.push({ first: char, last: char, by });
    }
  });
  return ranges;
}
