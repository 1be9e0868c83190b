/** A run of characters that a map moves by the same amount. */
interface MapRange {
  readonly first: number;
  readonly last: number;
  readonly by: number;
}

/** The runs of a table of ASCII characters that change something, in order. */
export function rangesOf(table: Uint8Array): MapRange[] {
  const ranges: MapRange[] = [];
  table.forEach((byte, char) => {
    const by = byte - char;
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
