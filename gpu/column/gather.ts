/**
 * Gathers selected rows into new columns.
 *
 * A selection is an Int32Array of row numbers, in any order and with repetitions; -1 stands for a
 * row that is null in every column.
 *
 * @module
 */

import { byteWidth, type HostColumn, nullColumn, viewAs } from "./column.ts";
import { OverflowError } from "../../base/errors/value_error.ts";
import { countSetBits, gatherBits } from "./bitmap.ts";
import { gatherText, placeRows } from "./gather_text.ts";
import { MAX_NARROW_OFFSET } from "./offsets.ts";

/** Facts about a selection. */
interface GatherOptions {
  /** Whether -1 may occur in it. Default: found out by a scan. */
  readonly mayMiss?: boolean;
}

/** Returns the rows of `selection`. Every row number but -1 must be a row of the column. */
export function gatherColumn(
  column: HostColumn,
  selection: Int32Array,
  options: GatherOptions = {},
): HostColumn {
  // An empty column has no row to read in place of -1.
  if (column.length === 0) return nullColumn(column.type, selection.length);
  const mayMiss = options.mayMiss ?? hasMissing(selection);
  const { type } = column;
  const common = {
    place: "host",
    type,
    length: selection.length,
    ...gatherValidity(column, selection, mayMiss),
    offsets: null,
    children: [],
  } as const;
  const none = new Uint8Array(0);
  switch (type.kind) {
    case "bool":
      return { ...common, data: gatherBits(column.data, selection, mayMiss) };
    case "string": {
      const text = gatherText({ offsets: column.offsets!, data: column.data }, selection);
      return { ...common, ...text };
    }
    case "list":
      return { ...common, data: none, ...gatherLists(column, selection) };
    case "struct": {
      const children = column.children.map((child) => gatherColumn(child, selection, { mayMiss }));
      return { ...common, data: none, children };
    }
    default: {
      const data = gatherFixed(column.data, byteWidth(type), selection, mayMiss);
      return { ...common, data };
    }
  }
}

/** Returns the rows of `selection` of each column. */
export function gatherColumns(
  columns: readonly HostColumn[],
  selection: Int32Array,
  options: GatherOptions = {},
): HostColumn[] {
  const mayMiss = options.mayMiss ?? hasMissing(selection);
  return columns.map((column) => gatherColumn(column, selection, { mayMiss }));
}

function hasMissing(selection: Int32Array): boolean {
  let signs = 0;
  for (let i = 0; i < selection.length; i++) signs |= selection[i]!;
  return signs < 0;
}

function gatherValidity(
  column: HostColumn,
  selection: Int32Array,
  mayMiss: boolean,
): { readonly nullCount: number; readonly validity: Uint8Array | null } {
  const source = column.nullCount === 0 ? null : column.validity;
  if (source === null && !mayMiss) return { nullCount: 0, validity: null };
  const validity = gatherBits(source, selection, mayMiss);
  const nullCount = selection.length - countSetBits(validity, 0, selection.length);
  return { nullCount, validity: nullCount === 0 ? null : validity };
}

/** Returns the offsets of the selected lists, and their items. */
function gatherLists(
  column: HostColumn,
  selection: Int32Array,
): { readonly offsets: Int32Array; readonly children: readonly HostColumn[] } {
  const starts = new Int32Array(selection.length);
  const offsets = new Int32Array(selection.length + 1);
  const numItems = placeRows(column.offsets as Int32Array, selection, starts, offsets);
  if (numItems > MAX_NARROW_OFFSET) {
    throw new OverflowError(
      `Size of output exceeds ${MAX_NARROW_OFFSET} items of lists`,
      selection.length - 1,
      numItems,
    );
  }
  const items = new Int32Array(numItems);
  for (let i = 0; i < selection.length; i++) {
    const shift = starts[i]! - offsets[i]!;
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) items[at] = at + shift;
  }
  return {
    offsets,
    children: column.children.map((child) => gatherColumn(child, items, { mayMiss: false })),
  };
}

// Values of fixed width: one loop for each width, so that V8 sees one kind of array in each. Values
// of 8 bytes move as two words: float64 elements would not keep every bit pattern, and BigInt64
// elements are objects for the garbage collector until V8 has optimized their loop.

/**
 * Returns the values of `width` bytes of `source` at each row of `selection`; zeros where the row
 * is -1, which may occur only if `mayMiss`. `source` starts at a multiple of 8 bytes and has at
 * least one value.
 */
function gatherFixed(
  source: Uint8Array,
  width: number,
  selection: Int32Array,
  mayMiss: boolean,
): Uint8Array {
  const target = new Uint8Array(selection.length * width);
  const rows = mayMiss ? presentRows(selection) : selection;
  switch (width) {
    case 1:
      gather8(source, target, rows);
      break;
    case 2:
      gather16(viewAs(Int16Array, source), new Int16Array(target.buffer), rows);
      break;
    case 4:
      gather32(viewAs(Int32Array, source), new Int32Array(target.buffer), rows);
      break;
    case 8:
      gather64(viewAs(Int32Array, source), new Int32Array(target.buffer), rows);
      break;
    default:
      if (width % 4 === 0) {
        gatherWide(viewAs(Int32Array, source), new Int32Array(target.buffer), rows, width / 4);
      } else {
        gatherWide(source, target, rows, width);
      }
  }
  if (mayMiss) clearMissing(target, width, selection);
  return target;
}

/** Returns the selection with row 0 in place of -1. */
function presentRows(selection: Int32Array): Int32Array {
  const rows = new Int32Array(selection.length);
  for (let i = 0; i < rows.length; i++) rows[i] = selection[i]! & ~(selection[i]! >> 31);
  return rows;
}

function gather8(source: Uint8Array, target: Uint8Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
}

function gather16(source: Int16Array, target: Int16Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
}

function gather32(source: Int32Array, target: Int32Array, rows: Int32Array): void {
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
}

function gather64(source: Int32Array, target: Int32Array, rows: Int32Array): void {
  for (let i = 0, at = 0; i < rows.length; i++, at += 2) {
    const from = 2 * rows[i]!;
    target[at] = source[from]!;
    target[at + 1] = source[from + 1]!;
  }
}

/** Gathers values of `each` elements. */
function gatherWide<T extends Int32Array | Uint8Array>(
  source: T,
  target: T,
  rows: Int32Array,
  each: number,
): void {
  for (let i = 0, at = 0; i < rows.length; i++) {
    const start = rows[i]! * each;
    for (let from = start; from < start + each; from++, at++) target[at] = source[from]!;
  }
}

/** Clears the values whose row is -1. */
function clearMissing(target: Uint8Array, width: number, selection: Int32Array): void {
  const whole = width % 4 === 0;
  const elements = whole ? new Int32Array(target.buffer) : target;
  const each = whole ? width / 4 : width;
  for (let i = 0; i < selection.length; i++) {
    if (selection[i]! < 0) {
      for (let at = i * each; at < (i + 1) * each; at++) elements[at] = 0;
    }
  }
}
