/**
 * Records the origin of text, for errors: the file, the column and the row.
 *
 * @module
 */

import { upperBound } from "../../base/search.ts";
import type { TextOrigin } from "../../base/errors/value_error.ts";
import type { HostColumn, Offsets } from "./column.ts";

/** The most origins that are recorded for one array. */
const MAX_REMEMBERED = 16;

/** The source that text was read from. */
export interface TextSource {
  readonly name: string;
  /**
   * Returns the file that has a row, among several that are read as one table, and the place of the
   * row there.
   */
  placeOf?(row: number): { readonly name: string; readonly row: number };
}

/** A column of a source. */
interface SourceColumn {
  readonly source: TextSource;
  readonly column: string;
}

/** The origin of the text of an array, and the start of each row. */
interface Origin extends SourceColumn {
  readonly offsets: Offsets;
  readonly rowOf: RowOf;
}

/** A function that returns the row of the source for a row of a column. */
type RowOf = (row: number) => number;

/** The origin of the rows of a column: the first row, and the distance between rows. */
export interface RowsOrigin extends SourceColumn {
  readonly row: number;
  /** Default: 1. */
  readonly step?: number;
}

/** The latest origins of each array of text, oldest first; several batches may share one array. */
const origins = new WeakMap<Uint8Array, Origin[]>();

/**
 * Records the origin of a column. `origin.row` is the place of its first row. `rows` are the
 * distances of each row from that; by default rows are `origin.step` apart.
 */
export function rememberOrigin(
  { data, offsets }: HostColumn,
  { source, column, row: first, step = 1 }: RowsOrigin,
  rows?: ArrayLike<number>,
): void {
  if (offsets === null) return;
  const rowOf: RowOf = rows === undefined ? line(first, step) : (row) => first + rows[row]!;
  remember(data, { source, column, offsets, rowOf });
}

/**
 * Records that a window, which begins at row `start` of a column, has the origin of that column.
 */
export function inheritOrigin(window: HostColumn, column: HostColumn, start: number): void {
  inherit(window, column, (row) => start + row);
}

/** Records that selected rows have the origin of their column. */
export function inheritRows(rows: HostColumn, column: HostColumn, selection: Int32Array): void {
  inherit(rows, column, (row) => selection[row]!);
}

/**
 * Collects the origins of columns that are concatenated, without keeping the columns in memory.
 * Parts that are consecutive in their source share one record.
 */
export class PartOrigins {
  readonly #lengths: number[] = [];
  readonly #rowsOf: RowOf[] = [];
  #first: SourceColumn | undefined;
  /**
   * The distance between the rows of the last part, 0 if unknown, and the row that would follow.
   */
  #step = 0;
  #nextRow = 0;

  /** Adds the next column of text; `origin` is its origin, if that is not recorded. */
  add(part: HostColumn, origin?: RowsOrigin): void {
    if (part.length === 0) return;
    if (origin !== undefined) this.#addLine(part.length, origin);
    else this.#addRemembered(part);
  }

  #addLine(length: number, { source, column, row: first, step = 1 }: RowsOrigin): void {
    const follows = step === this.#step && first === this.#nextRow;
    if (follows) this.#lengths[this.#lengths.length - 1]! += length;
    else {
      this.#first ??= { source, column };
      this.#lengths.push(length);
      this.#rowsOf.push(line(first, step));
    }
    [this.#step, this.#nextRow] = [step, first + length * step];
  }

  #addRemembered(part: HostColumn): void {
    const origin = originWith(part);
    this.#step = 0;
    this.#lengths.push(part.length);
    if (origin === undefined) return;
    this.#first ??= { source: origin.source, column: origin.column };
    this.#rowsOf.push(chained(origin.rowOf, skippedRows(origin.offsets, part.offsets!)));
  }

  /** Records the collected origins for a column, which must consist of the added rows. */
  remember({ data, offsets }: HostColumn): void {
    // Text that a kernel created has no origin.
    const isKnown = this.#rowsOf.length === this.#lengths.length;
    if (this.#first === undefined || !isKnown || offsets === null) return;
    remember(data, { ...this.#first, offsets, rowOf: joined(this.#lengths, this.#rowsOf) });
  }
}

/**
 * Records the origin of `column` for another column; `rowIn` maps its rows to those of `column`.
 */
function inherit({ data, offsets }: HostColumn, column: HostColumn, rowIn: RowOf): void {
  const origin = originWith(column);
  if (origin === undefined || offsets === null || column.offsets === null) return;
  const { source, column: name } = origin;
  const rowOf = chained(origin.rowOf, skippedRows(origin.offsets, column.offsets), rowIn);
  remember(data, { source, column: name, offsets, rowOf });
}

function remember(data: Uint8Array, origin: Origin): void {
  const known = origins.get(data) ?? [];
  if (known.length >= MAX_REMEMBERED) known.shift();
  known.push(origin);
  origins.set(data, known);
}

/**
 * Returns the origin of a column, or of one that it is a slice of, which shares the buffer of its
 * offsets.
 */
function originWith({ data, offsets }: HostColumn): Origin | undefined {
  return origins.get(data)?.findLast((origin) => {
    if (offsets === null || origin.offsets.buffer !== offsets.buffer) return false;
    const skipped = skippedRows(origin.offsets, offsets);
    return skipped >= 0 && skipped + offsets.length <= origin.offsets.length;
  });
}

/** Returns the number of rows of a column before those of a slice, by its offsets. */
function skippedRows(all: Offsets, slice: Offsets): number {
  return (slice.byteOffset - all.byteOffset) / all.BYTES_PER_ELEMENT;
}

/**
 * Returns a function for rows `step` apart. It is a function of its own, so that the closure keeps
 * no column alive.
 */
function line(first: number, step: number): RowOf {
  return (row) => first + row * step;
}

/** Returns a function that composes two mappings; its own function for the same reason. */
function chained(outer: RowOf, skipped: number, inner: RowOf = (row) => row): RowOf {
  return (row) => outer(skipped + inner(row));
}

function joined(lengths: readonly number[], rowsOf: readonly RowOf[]): RowOf {
  return (row) => {
    let part = 0;
    while (row >= lengths[part]!) row -= lengths[part++]!;
    return rowsOf[part]!(row);
  };
}

/** Returns the place of a row in its source, if known. */
export function originOf(text: HostColumn, textRow: number): TextOrigin | undefined {
  const own = originWith(text);
  if (own !== undefined) {
    return placeIn(own, skippedRows(own.offsets, text.offsets!) + textRow);
  }
  const origin = origins.get(text.data)?.at(-1);
  const start = text.offsets?.[textRow];
  if (origin === undefined || start === undefined) return undefined;
  const { offsets } = origin;
  // The last row that starts here: those before it are empty.
  return placeIn(origin, Math.max(0, upperBound(offsets, start) - 1));
}

function placeIn({ source, column, rowOf }: Origin, textRow: number): TextOrigin {
  const row = rowOf(textRow);
  const place = source.placeOf?.(row) ?? { name: source.name, row };
  return { source: place.name, column, row: place.row };
}
