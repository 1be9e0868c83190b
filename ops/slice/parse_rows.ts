/**
 * Parses rows by position: `5,-1,7,100:110`. Imports nothing, so that the command line can check
 * such text before it loads the library.
 *
 * @module
 */

/** A range of positions by Python's rules. Absent and null bounds are open. */
export interface RowBounds {
  /** The first position. */
  readonly start?: number | null;
  /** The position after the last one. */
  readonly stop?: number | null;
  /** The distance between positions; if negative, the range goes backwards. Default: 1. */
  readonly step?: number | null;
}

/**
 * Parses positions and ranges `start:stop:step`, separated by commas; undefined for other text.
 * Each bound may be omitted, and the step with its colon; digits may be grouped by `_`, and blanks
 * may surround parts. The caller must reject a step of 0.
 */
export function parseRows(text: string): (number | RowBounds)[] | undefined {
  const rows: (number | RowBounds)[] = [];
  for (const part of text.split(",").map((part) => part.trim())) {
    const row = part.includes(":") ? parseBounds(part) : parsePosition(part);
    if (row === undefined) return undefined;
    rows.push(row);
  }
  return rows;
}

/** Parses one range `start:stop` or `start:stop:step`; undefined for other text. */
export function parseBounds(text: string): RowBounds | undefined {
  const parts = text.split(":");
  if (parts.length < 2 || parts.length > 3) return undefined;
  const bounds: (number | null)[] = [];
  for (const part of parts) {
    const bound = part === "" ? null : parsePosition(part);
    if (bound === undefined) return undefined;
    bounds.push(bound);
  }
  const [start = null, stop = null, step = null] = bounds;
  return { start, stop, step };
}

/** Parses a safe integer; undefined for other text. */
function parsePosition(text: string): number | undefined {
  if (!/^[+-]?[0-9][0-9_]*$/.test(text)) return undefined;
  // Adding 0 makes -0 a 0.
  const position = Number(text.replaceAll("_", "")) + 0;
  return Number.isSafeInteger(position) ? position : undefined;
}
