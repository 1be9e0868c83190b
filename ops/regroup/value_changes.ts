/**
 * Finds the rows of a stream whose values differ from those of the row before.
 *
 * @module
 */

import { bitAt } from "../../gpu/column/bitmap.ts";
import { type HostColumn, viewAs } from "../../gpu/column/column.ts";
import { concatColumns } from "../../gpu/column/concat.ts";
import { gatherColumn } from "../../gpu/column/gather.ts";
import { encodeKey } from "../../gpu/key/encode_key.ts";

/**
 * Finds changes batch by batch. Values are equal as join keys are with equal nulls, and as for
 * DuckDB's `IS NOT DISTINCT FROM`: null equals null, NaN equals any NaN, -0.0 equals 0.0. Texts are
 * compared byte by byte.
 */
export class ValueChanges {
  /** The last row of each column so far. */
  #last: readonly HostColumn[] | undefined;

  /**
   * Returns the rows, ascending, that differ from the row before in any column. The first row is
   * compared with the last row of the previous call; the very first row counts as equal. The
   * columns must have at least one row.
   */
  next(columns: readonly HostColumn[]): Int32Array {
    const marks = new Uint8Array(columns[0]!.length);
    for (const column of columns) markChanges(column, marks);
    const last = this.#last;
    const border = new Uint8Array(2);
    columns.forEach((column, index) => {
      if (last === undefined) return;
      const first = gatherColumn(column, Int32Array.of(0));
      markChanges(concatColumns([last[index]!, first]), border);
    });
    marks[0] = border[1]!;
    // Copy the last row, so as not to keep the batch for it.
    this.#last = columns.map((column) => gatherColumn(column, Int32Array.of(column.length - 1)));
    return markedRows(marks);
  }
}

/** Marks the rows from the second on that differ from the row before. */
function markChanges(column: HostColumn, marks: Uint8Array): void {
  const key = encodeKey([column], [column.type], true);
  const { nullCount, validity } = key;
  if (nullCount === 0 || validity === null) {
    markDifferent(key, marks);
    return;
  }
  const different = new Uint8Array(marks.length);
  markDifferent(key, different);
  // The value below a null may be anything.
  let before = bitAt(validity, 0);
  for (let row = 1; row < marks.length; row++) {
    const valid = bitAt(validity, row);
    marks[row]! |= before === 1 && valid === 1 ? different[row]! : before ^ valid;
    before = valid;
  }
}

/** Marks changes without regard to nulls. Keys are integers or bytes. */
function markDifferent({ type, data, offsets }: HostColumn, marks: Uint8Array): void {
  if (type.kind === "string") return markTexts(data, offsets!, marks);
  if (type.kind !== "int") throw new TypeError(`A ${type.kind} is no key`);
  switch (type.bits) {
    case 8:
      return markWords(data, marks);
    case 16:
      return markWords(viewAs(Uint16Array, data), marks);
    case 32:
      return markWords(viewAs(Int32Array, data), marks);
    case 64:
      return markWordPairs(viewAs(Int32Array, data), marks);
  }
}

function markWords(words: Uint8Array | Uint16Array | Int32Array, marks: Uint8Array): void {
  for (let row = 1; row < marks.length; row++) {
    if (words[row] !== words[row - 1]) marks[row] = 1;
  }
}

function markWordPairs(words: Int32Array, marks: Uint8Array): void {
  for (let row = 1, at = 2; row < marks.length; row++, at += 2) {
    if (words[at] !== words[at - 2] || words[at + 1] !== words[at - 1]) marks[row] = 1;
  }
}

function markTexts(data: Uint8Array, offsets: ArrayLike<number>, marks: Uint8Array): void {
  let before = offsets[0]!;
  for (let row = 1; row < marks.length; row++) {
    const start = offsets[row]!;
    const length = offsets[row + 1]! - start;
    let same = length === start - before ? length : -1;
    // Neighbours of equal length differ more often at the end than at the start.
    while (same > 0 && data[start + same - 1] === data[before + same - 1]) same--;
    if (same !== 0) marks[row] = 1;
    before = start;
  }
}

function markedRows(marks: Uint8Array): Int32Array {
  const rows = new Int32Array(marks.length);
  let count = 0;
  for (let row = 0; row < marks.length; row++) {
    rows[count] = row;
    count += marks[row]!;
  }
  return rows.slice(0, count);
}
