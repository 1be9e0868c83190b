/**
 * Where text came from: the file, the column and the row, for errors.
 *
 * @module
 */

import { upperBound } from "../../base/search.ts";
import type { TextOrigin } from "../../base/errors/value_error.ts";
import type { HostColumn, Offsets } from "./column.ts";

/** Origins that are remembered for one array. */
const MAX_REMEMBERED = 16;

/** The place that text was read from. */
export interface TextSource {
  readonly name: string;
  /** The file that has a row, of several that are read as one, and the row's place there. */
  placeOf?(row: number): { readonly name: string; readonly row: number };
}

/** A column of a source. */
interface SourceColumn {
  readonly source: TextSource;
  readonly column: string;
}

/** Where the text of an array came from, and where each row starts. */
interface Origin extends SourceColumn {
  readonly offsets: Offsets;
  readonly rowOf: RowOf;
}

/** The row of the source that a row of a column was. */
type RowOf = (row: number) => number;

/** Where the rows of a column came from: the first one, and how far the others lie apart. */
export interface RowsOrigin extends SourceColumn {
  readonly row: number;
  /** Default: 1. */
  readonly step?: number;
}

/** By text: several batches may share one array. The last ones, in the order in which they came. */
const origins = new WeakMap<Uint8Array, Origin[]>();

/**
 * Remembers where a column came from, for errors. `origin.row` is the place of its first row, and
 * `rows` says of each row how far behind that it was; absent: as far apart as `origin.step` says.
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

/** Remembers that a window, which begins at row `start` of a column, came from where that did. */
export function inheritOrigin(window: HostColumn, column: HostColumn, start: number): void {
  inherit(window, column, (row) => start + row);
}

/** Remembers that the rows of a selection came from where their column did. */
export function inheritRows(rows: HostColumn, column: HostColumn, selection: Int32Array): void {
  inherit(rows, column, (row) => selection[row]!);
}

/**
 * Where columns came from that become one, without holding them. Parts that follow each other in their
 * source are remembered as one.
 */
export class PartOrigins {
  readonly #lengths: number[] = [];
  readonly #rowsOf: RowOf[] = [];
  #first: SourceColumn | undefined;
  /**
   * The distance between the rows of the last part, and the row that would follow; 0: not known.
   */
  #step = 0;
  #nextRow = 0;

  /** Adds the next column of text; `origin` is the place of its first row, where that is not remembered. */
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

  /** Remembers that the rows of a column are those that were added. */
  remember({ data, offsets }: HostColumn): void {
    // Text that a kernel made came from nowhere.
    const isKnown = this.#rowsOf.length === this.#lengths.length;
    if (this.#first === undefined || !isKnown || offsets === null) return;
    remember(data, { ...this.#first, offsets, rowOf: joined(this.#lengths, this.#rowsOf) });
  }
}

/** `rowIn` says which row of the second column a row of the first is. */
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

/** The origin of a column, or of one that it is a slice of: that shares the array of its offsets. */
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

/** Rows that lie so far apart. Apart from its callers, so that it keeps no column alive. */
function line(first: number, step: number): RowOf {
  return (row) => first + row * step;
}

/** The same. */
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

/** The place in the source of a row, if it is known. */
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
