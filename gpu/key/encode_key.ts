/**
 * The columns of a key as the one column that is compared; `key_layout.ts` says what it looks like.
 *
 * @module
 */

import { andBitmaps, bitAt, countSetBits } from "../column/bitmap.ts";
import { type ColumnType, type HostColumn, type Offsets, viewAs } from "../column/column.ts";
import { newOffsets } from "../column/offsets.ts";
import { sliceColumn } from "../column/slice.ts";
import {
  hasNullBits,
  headBytes,
  intBits,
  keyBytes,
  type KeyPart,
  onlyPart,
  type RowShape,
  shapeOf,
} from "./key_layout.ts";
import { widenColumn } from "./widen_column.ts";

/**
 * The key of each row, a column of the type that `keyTypeOf` gives for these parts, or of a narrower
 * integer type. Equal keys are equal there, and no others: -0 and +0 are one key, and so are all
 * NaNs. Columns may be narrower than their parts.
 *
 * A row is null where any of the columns is; with `nullsEqual` keys of several parts have no null
 * rows, as nulls are values of theirs, equal to each other. Nulls within lists and structs always
 * are. Shares the memory of the columns where it can. Expects columns of one length, at least one.
 */
export function encodeKey(
  columns: readonly HostColumn[],
  parts: readonly KeyPart[],
  nullsEqual: boolean,
): HostColumn {
  const [first] = columns;
  if (first === undefined || columns.length !== parts.length) {
    throw new TypeError(`A key of ${parts.length} parts cannot have ${columns.length} columns`);
  }
  const only = onlyPart(parts);
  if (only?.kind === "int" && first.type.kind === "int") return first;
  if (only?.kind === "string" && first.type.kind === "string") return first;
  const { length } = first;
  const nullBits = hasNullBits(parts, nullsEqual);
  const rows = new KeyRows(length);
  columns.forEach((column, index) => rows.add(column, parts[index]!, null, nullBits));
  const shape = shapeOf(parts, nullBits);
  const bits = intBits(shape);
  const frame = { place: "host", length, children: [] } as const;
  const nulls = nullBits ? NO_NULLS : nullsOfAny(columns, length);
  if (bits !== 0) {
    const type = { kind: "int", bits, signed: true } as const;
    return { ...frame, ...nulls, type, data: rows.heads(shape, bits / 8), offsets: null };
  }
  return { ...frame, ...nulls, type: { kind: "string" }, ...rows.texts(shape, false) };
}

const NO_NULLS = { nullCount: 0, validity: null } as const;

function nullsOfAny(
  columns: readonly HostColumn[],
  length: number,
): Pick<HostColumn, "nullCount" | "validity"> {
  const validity = columns.map(validityOf).reduce((all, one) => andBitmaps(all, one, length), null);
  const nullCount = validity === null ? 0 : length - countSetBits(validity, 0, length);
  return nullCount === 0 ? NO_NULLS : { nullCount, validity };
}

function validityOf({ nullCount, validity }: HostColumn): Uint8Array | null {
  return nullCount === 0 ? null : validity;
}

/** A part of all rows; what lies below its nulls counts as zeros. */
interface Values {
  readonly data: Uint8Array;
  /** Null where every row counts. */
  readonly validity: Uint8Array | null;
}

interface FixedValues extends Values {
  readonly width: number;
}

interface Texts extends Values {
  readonly offsets: Offsets;
}

/** The parts of keys, and how they become bytes. */
class KeyRows {
  readonly #length: number;
  readonly #fixed: FixedValues[] = [];
  /** Bits of which all are 1 have no data. */
  readonly #bits: { readonly data: Uint8Array | null; readonly validity: Uint8Array | null }[] = [];
  readonly #texts: Texts[] = [];

  constructor(length: number) {
    this.#length = length;
  }

  /**
   * Adds a column. `outer` tells which rows of the struct around it are there; with `nullable`, which
   * rows of the column are null is a part of the key, else nobody looks at these.
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

  /** What lies in front of the texts, `stride` bytes a row. */
  heads(shape: RowShape, stride: number): Uint8Array {
    const [only] = this.#fixed;
    const isWhole = only !== undefined && only.width === stride && only.validity === null;
    if (isWhole) return only.data.subarray(0, this.#length * stride);
    const heads = new Uint8Array(this.#length * stride);
    let at = 0;
    for (const values of this.#fixed) {
      writeFixed(values, this.#length, heads, stride, at);
      at += values.width;
    }
    this.#bits.forEach(({ data, validity }, bit) => {
      const byte = shape.fixedBytes + (bit >> 3);
      const value = 1 << (bit & 7);
      for (let row = 0; row < this.#length; row++) {
        const isSet = data === null || bitAt(data, row) === 1;
        if (isSet && isPresent(validity, row)) heads[row * stride + byte]! |= value;
      }
    });
    return heads;
  }

  /** The whole rows as text. With `delimited` the last text of a row is behind its size too. */
  texts(shape: RowShape, delimited: boolean): { offsets: Offsets; data: Uint8Array } {
    const length = this.#length;
    const width = headBytes(shape);
    const heads = this.heads(shape, width);
    if (this.#texts.length === 0) return { offsets: evenOffsets(length, width), data: heads };
    if (width === 0 && this.#texts.length === 1 && !delimited) {
      const { offsets, data } = this.#texts[0]!;
      return { offsets, data };
    }
    const numSizes = this.#texts.length - (delimited ? 0 : 1);
    const most = this.#texts.reduce(
      (sum, { offsets }) => sum + offsets[length]! - offsets[0]!,
      length * (width + 4 * numSizes),
    );
    const offsets = newOffsets(length, most);
    const data = new Uint8Array(most);
    const view = new DataView(data.buffer);
    let at = 0;
    for (let row = 0; row < length; row++) {
      for (let i = 0; i < width; i++) data[at++] = heads[row * width + i]!;
      for (let i = 0; i < this.#texts.length; i++) {
        const text = this.#texts[i]!;
        const start = text.offsets[row]!;
        const size = isPresent(text.validity, row) ? text.offsets[row + 1]! - start : 0;
        if (i < numSizes) {
          view.setUint32(at, size, true);
          at += 4;
        }
        for (let k = 0; k < size; k++) data[at++] = text.data[start + k]!;
      }
      offsets[row + 1] = at;
    }
    return { offsets, data: data.subarray(0, at) };
  }
}

/** The lists of a column as text: their items one behind the other. */
function itemRows(column: HostColumn, type: ColumnType): { offsets: Offsets; data: Uint8Array } {
  const offsets = column.offsets!;
  const first = offsets[0]!;
  const child = sliceColumn(column.children[0]!, first, offsets[column.length]!);
  const items = new KeyRows(child.length);
  items.add(child, type, null, true);
  const rows = items.texts(shapeOf([type], true), true);
  const starts = newOffsets(column.length, rows.offsets[child.length]!);
  for (let row = 0; row <= column.length; row++) starts[row] = rows.offsets[offsets[row]! - first]!;
  return { offsets: starts, data: rows.data };
}

function evenOffsets(length: number, width: number): Offsets {
  const offsets = newOffsets(length, length * width);
  for (let row = 0; row <= length; row++) offsets[row] = row * width;
  return offsets;
}

/** The values of a column, widened, floats as their canonical bits. */
function fixedData(
  column: HostColumn,
  type: ColumnType & { kind: "int" | "float" | "fixed" },
): Uint8Array {
  if (type.kind !== "float") return widenColumn(column, type).data;
  const bits = type.bits === 64 ? 64 : 32;
  const { data } = widenColumn(column, { kind: "float", bits });
  return bits === 32 ? canonicalFloats(data, column.length) : canonicalDoubles(data, column.length);
}

const NAN_WORD = 0x7fc0_0000;
const NAN_HIGH_WORD = 0x7ff8_0000;

/** Floats of 32 bits with one zero and one NaN. */
function canonicalFloats(data: Uint8Array, length: number): Uint8Array {
  const source = viewAs(Int32Array, data);
  const target = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const word = source[row]!;
    const magnitude = word & 0x7fff_ffff;
    target[row] = magnitude === 0 ? 0 : magnitude > 0x7f80_0000 ? NAN_WORD : word;
  }
  return new Uint8Array(target.buffer);
}

/** Floats of 64 bits with one zero and one NaN. */
function canonicalDoubles(data: Uint8Array, length: number): Uint8Array {
  const source = viewAs(Int32Array, data);
  const target = new Int32Array(2 * length);
  for (let at = 0; at < 2 * length; at += 2) {
    let low = source[at]!;
    let high = source[at + 1]!;
    const magnitude = high & 0x7fff_ffff;
    if (magnitude > 0x7ff0_0000 || (magnitude === 0x7ff0_0000 && low !== 0)) {
      low = 0;
      high = NAN_HIGH_WORD;
    } else if ((magnitude | low) === 0) {
      high = 0;
    }
    target[at] = low;
    target[at + 1] = high;
  }
  return new Uint8Array(target.buffer);
}

/** Writes values of one width into rows of `stride` bytes, from byte `at` of each. */
function writeFixed(
  { width, data, validity }: FixedValues,
  length: number,
  target: Uint8Array,
  stride: number,
  at: number,
): void {
  for (let row = 0; row < length; row++) {
    if (!isPresent(validity, row)) continue;
    for (let i = 0; i < width; i++) target[row * stride + at + i] = data[row * width + i]!;
  }
}

function isPresent(validity: Uint8Array | null, row: number): boolean {
  return validity === null || bitAt(validity, row) === 1;
}
