/**
 * The rows of a selection, as columns of their own.
 *
 * A selection is an Int32Array of row numbers, in any order and any number of times; -1 stands for
 * a row that is null in every column.
 *
 * @module
 */

import { byteWidth, type HostColumn } from "./column.ts";
import { OverflowError } from "../errors.ts";
import { countSetBits, gatherBits } from "./bitmap.ts";
import { gatherFixed } from "./gather_fixed.ts";
import { gatherText, placeRows } from "./gather_text.ts";
import { nullColumn } from "./null_column.ts";
import { MAX_NARROW_OFFSET } from "./offsets.ts";

/** What is known of a selection. */
export interface GatherOptions {
  /** Whether -1 may occur in it. Looked up where it is not given. */
  readonly mayMiss?: boolean;
}

/** The rows of `selection`, where every row number but -1 is a row of the column. */
export function gatherColumn(
  column: HostColumn,
  selection: Int32Array,
  options: GatherOptions = {},
): HostColumn {
  // Without rows there is nothing that -1 could be read from harmlessly.
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
      return { ...common, data: gatherBits(column.data, selection) };
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

/** The rows of `selection` in each of the columns. */
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
  const validity = gatherBits(source, selection);
  const nullCount = selection.length - countSetBits(validity, 0, selection.length);
  return { nullCount, validity: nullCount === 0 ? null : validity };
}

/** Offsets of the selected lists, and the items that they hold. */
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
