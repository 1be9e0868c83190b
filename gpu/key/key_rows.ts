/**
 * Builds the rows of a key as bytes, in the layout of `key_layout.ts`.
 *
 * @module
 */

import { andBitmaps } from "../column/bitmap.ts";
import type { ColumnType, HostColumn, Offsets } from "../column/column.ts";
import { newOffsets } from "../column/offsets.ts";
import { sliceColumn } from "../column/slice.ts";
import { canonicalFloats } from "./canonical_floats.ts";
import { headBytes, keyBytes, type RowShape, shapeOf } from "./key_layout.ts";
import { widenColumn } from "./widen_column.ts";
import {
  type EvenRows,
  joinTexts,
  newRows,
  type Texts,
  type Values,
  writeBit,
  writeValues,
} from "./write_rows.ts";

/** The offsets and bytes of a column of text. */
type TextBuffers = Pick<Texts, "offsets" | "data">;

interface FixedValues extends Values {
  readonly width: number;
}

/** The values of a key's columns, from which rows are written. */
export class KeyRows {
  readonly #length: number;
  readonly #fixed: FixedValues[] = [];
  /** Bits without data are all 1. */
  readonly #bits: { readonly data: Uint8Array | null; readonly validity: Uint8Array | null }[] = [];
  readonly #texts: Texts[] = [];

  /** Creates rows without columns. */
  constructor(length: number) {
    this.#length = length;
  }

  /**
   * Adds a column of a type, or of a narrower one. `outer` is the validity of the struct around it.
   * With `nullable`, the key has a bit for the nulls of the column; otherwise null rows are never
   * compared.
   */
  add(column: HostColumn, type: ColumnType, outer: Uint8Array | null, nullable: boolean): void {
    const validity = nullable ? andBitmaps(outer, validityOf(column), this.#length) : outer;
    if (nullable) this.#bits.push({ data: validity, validity: null });
    const { data } = column;
    switch (type.kind) {
      case "bool":
        this.#bits.push({ data, validity });
        break;
      case "string":
        this.#texts.push({ data, offsets: column.offsets!, validity });
        break;
      case "list":
        this.#texts.push({ ...itemRows(column, type.item), validity });
        break;
      case "struct":
        type.fields.forEach((field, at) => this.add(column.children[at]!, field, validity, true));
        break;
      default:
        this.#fixed.push({ width: keyBytes(type), data: fixedData(column, type), validity });
    }
  }

  /** Returns rows without text, of `stride` bytes each. */
  even(shape: RowShape, stride: number): Uint8Array {
    const numBytes = this.#length * stride;
    const [only] = this.#fixed;
    const isWhole = only !== undefined && only.width === stride && only.validity === null;
    return isWhole
      ? only.data.subarray(0, numBytes)
      : this.#heads(shape, stride).bytes.subarray(0, numBytes);
  }

  /** Returns the rows as text. With `delimited`, the last text of a row also follows its size. */
  text(shape: RowShape, delimited: boolean): TextBuffers {
    const width = headBytes(shape);
    const [only] = this.#texts;
    if (only === undefined) {
      return { offsets: evenOffsets(this.#length, width), data: this.even(shape, width) };
    }
    const isWhole = width === 0 && this.#texts.length === 1 && !delimited && only.validity === null;
    if (isWhole) return { offsets: only.offsets, data: only.data };
    const numSizes = this.#texts.length - (delimited ? 0 : 1);
    return joinTexts(this.#heads(shape, width), this.#texts, numSizes);
  }

  /** Returns the bytes before the texts. */
  #heads(shape: RowShape, stride: number): EvenRows {
    const rows = newRows(this.#length, stride);
    let at = 0;
    for (const values of this.#fixed) {
      writeValues(rows, values, values.width, at);
      at += values.width;
    }
    this.#bits.forEach(({ data, validity }, bit) =>
      writeBit(rows, data, validity, shape.fixedBytes + (bit >> 3), bit & 7)
    );
    return rows;
  }
}

/** Returns the validity of a column; null without nulls. */
export function validityOf({ nullCount, validity }: HostColumn): Uint8Array | null {
  return nullCount === 0 ? null : validity;
}

/** Returns the lists of a column as text: their items, concatenated. */
function itemRows(column: HostColumn, type: ColumnType): TextBuffers {
  const offsets = column.offsets!;
  const first = offsets[0]!;
  const child = sliceColumn(column.children[0]!, first, offsets[column.length]!);
  const items = new KeyRows(child.length);
  items.add(child, type, null, true);
  const rows = items.text(shapeOf([type], true), true);
  const starts = newOffsets(column.length, rows.offsets[child.length]!);
  for (let row = 0; row <= column.length; row++) starts[row] = rows.offsets[offsets[row]! - first]!;
  return { offsets: starts, data: rows.data };
}

function evenOffsets(length: number, width: number): Offsets {
  const offsets = newOffsets(length, length * width);
  for (let row = 0; row <= length; row++) offsets[row] = row * width;
  return offsets;
}

/** Returns the widened values of a column, floats as their canonical bits. */
function fixedData(
  column: HostColumn,
  type: ColumnType & { kind: "int" | "float" | "fixed" },
): Uint8Array {
  if (type.kind !== "float") return widenColumn(column, type).data;
  return canonicalFloats(column, type.bits === 64 ? 64 : 32);
}
