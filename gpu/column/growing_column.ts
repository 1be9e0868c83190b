/**
 * A column that grows by the rows of other columns.
 *
 * @module
 */

import { filledBitmap } from "./bitmap.ts";
import { byteWidth, type ColumnType, hasOffsets, type HostColumn, type Offsets } from "./column.ts";
import { OverflowError } from "../../base/errors/value_error.ts";
import { GrowingBits, GrowingBuffer } from "./growing_buffer.ts";
import { GrowingOffsets } from "./growing_offsets.ts";
import { MAX_NARROW_OFFSET } from "./offsets.ts";
import { sliceColumn } from "./slice.ts";
import { PartOrigins, type RowsOrigin } from "./text_origin.ts";

/** The expected size of a column. */
interface ExpectedRows {
  /** The number of rows; 0 if unknown. */
  readonly numRows: number;
  /** Some of the rows, from which the bytes of text are estimated. */
  readonly sample: readonly HostColumn[];
}

/**
 * The factor for text and items over the estimate from the sample: a space that is too small must
 * be copied, and one that is too large costs nothing.
 */
const SPARE = 1.25;

/**
 * A column that grows by copies of the rows of others, without keeping their memory. The result is
 * that of `concatColumns`. No more memory is in use than the result and 64 MiB, unless text is much
 * longer than the sample suggested: then it is copied once more as a whole.
 */
export class GrowingColumn {
  readonly #type: ColumnType;
  #length = 0;
  #nullCount = 0;
  readonly #validity = new GrowingBits();
  /** The values of bools. */
  readonly #bits = new GrowingBits();
  readonly #data: GrowingBuffer;
  readonly #offsets: GrowingOffsets | null;
  readonly #children: readonly GrowingColumn[];
  readonly #origins = new PartOrigins();

  constructor(type: ColumnType, expected: ExpectedRows = { numRows: 0, sample: [] }) {
    const { numRows, sample } = expected;
    const span = hasOffsets(type) ? expectedSpan(expected) : 0;
    this.#type = type;
    this.#offsets = hasOffsets(type) ? new GrowingOffsets(numRows) : null;
    this.#data = new GrowingBuffer(type.kind === "string" ? span : numRows * byteWidth(type));
    switch (type.kind) {
      case "list":
        this.#children = [
          new GrowingColumn(type.item, { numRows: span, sample: sample.map(itemsOf) }),
        ];
        break;
      case "struct":
        this.#children = type.fields.map((field, at) =>
          new GrowingColumn(field, { numRows, sample: sample.map(({ children }) => children[at]!) })
        );
        break;
      default:
        this.#children = [];
    }
  }

  /**
   * Appends the rows of a column of the same type; `origin` is the origin of its text, if that is
   * not recorded. Throws an OverflowError for more than 2^31 - 1 list items.
   */
  append(column: HostColumn, origin?: RowsOrigin): void {
    const { length, nullCount, data, offsets, children } = column;
    this.#appendNulls(column);
    switch (this.#type.kind) {
      case "bool":
        this.#bits.append(data, length);
        break;
      case "string":
        this.#origins.add(column, origin);
        this.#offsets!.append(offsets!, length);
        this.#data.append(data.subarray(offsets![0], offsets![length]));
        break;
      case "list":
        this.#checkItems(offsets!, length);
        this.#offsets!.append(offsets!, length);
        this.#children[0]!.append(itemsOf(column));
        break;
      case "struct":
        children.forEach((child, field) => this.#children[field]!.append(child));
        break;
      default:
        this.#data.append(data.subarray(0, length * byteWidth(this.#type)));
    }
    this.#length += length;
    this.#nullCount += nullCount;
  }

  /** Returns all rows. Nothing may be added afterwards. */
  finish(): HostColumn {
    const column: HostColumn = {
      place: "host",
      type: this.#type,
      length: this.#length,
      nullCount: this.#nullCount,
      validity: this.#nullCount === 0 ? null : this.#validity.finish(),
      data: this.#type.kind === "bool" ? this.#bits.finish() : this.#data.finish(),
      offsets: this.#offsets?.finish() ?? null,
      children: this.#children.map((child) => child.finish()),
    };
    this.#origins.remember(column);
    return column;
  }

  #appendNulls({ length, nullCount, validity }: HostColumn): void {
    if (nullCount === 0 && this.#nullCount === 0) return;
    // Rows before the first null have no bits yet.
    const missing = this.#length - this.#validity.length;
    if (missing > 0) this.#validity.append(filledBitmap(missing), missing);
    const hasNulls = nullCount > 0 && validity !== null;
    this.#validity.append(hasNulls ? validity : filledBitmap(length), length);
  }

  /** Throws if lists have more items than 32-bit offsets can count. */
  #checkItems(offsets: Offsets, length: number): void {
    const shift = this.#offsets!.last - offsets[0]!;
    if (offsets[length]! + shift <= MAX_NARROW_OFFSET) return;
    const end = offsets.findIndex((offset) => offset + shift > MAX_NARROW_OFFSET);
    const row = this.#length + end - 1;
    throw new OverflowError(
      `Size of output exceeds ${MAX_NARROW_OFFSET} items of lists at row ${row}`,
      row,
      offsets[end]! + shift,
    );
  }
}

/** Estimates the bytes of text, or the items of lists. */
function expectedSpan({ numRows, sample }: ExpectedRows): number {
  let [rows, span] = [0, 0];
  for (const { offsets, length } of sample) {
    rows += length;
    span += offsets![length]! - offsets![0]!;
  }
  return rows === 0 ? 0 : Math.ceil(SPARE * span * numRows / rows);
}

/** Returns the items that the rows of a list column use. */
function itemsOf({ children, offsets, length }: HostColumn): HostColumn {
  return sliceColumn(children[0]!, offsets![0]!, offsets![length]!);
}
