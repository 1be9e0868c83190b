/**
 * A column of a batch: Arrow data, or a column on the host or the device, converted lazily.
 *
 * @module
 */

import type { Data, DataType } from "apache-arrow";
import {
  type Column,
  columnBytes,
  type HostColumn,
  releaseColumn,
} from "../../gpu/column/column.ts";
import { gatherColumn } from "../../gpu/column/gather.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";
import { inheritRows, rememberOrigin, type RowsOrigin } from "../../gpu/column/text_origin.ts";
import { columnTypeIn } from "./arrow_types.ts";
import { arrowTextBytes, columnTextBytes, dataBytes } from "./data_bytes.ts";
import { fromArrow } from "./from_arrow.ts";
import { defaultOffsetRule, isSettled, type OffsetRule, settleOffsets } from "./offset_rule.ts";
import { toArrow } from "./to_arrow.ts";

/** The rows of a column in the forms that exist so far. Several batches may share a cell. */
interface Cell {
  owners: number;
  data: Data | undefined;
  column: Column | undefined;
  readonly input?: InputColumn | undefined;
}

/** Facts about an input column. */
interface InputColumn {
  /** The name of the column, for errors. */
  readonly name?: string | undefined;
  /** The origin of its text: the place of its first row. */
  readonly origin?: RowsOrigin | undefined;
  /** The rule for the width of its text offsets. */
  readonly rule?: OffsetRule | undefined;
}

/** One column of one batch. */
export class BatchColumn {
  /** The plain Arrow type of the column. */
  readonly type: DataType;
  readonly #cell: Cell;

  private constructor(type: DataType, cell: Cell) {
    this.type = type;
    this.#cell = cell;
  }

  /**
   * Creates an input column; `type` is the plain form of its data's type. Errors in its text name
   * its origin.
   */
  static fromArrow(type: DataType, data: Data, input?: InputColumn): BatchColumn {
    return new BatchColumn(type, { owners: 1, data, column: undefined, input });
  }

  /** Creates a column of a backend's result, and takes ownership of that. */
  static fromColumn(type: DataType, column: Column): BatchColumn {
    return new BatchColumn(type, { owners: 1, data: undefined, column });
  }

  /** The column for a kernel, on the host or the device. The caller borrows it. */
  get column(): Column {
    return this.#cell.column ??= this.#convert();
  }

  #convert(): HostColumn {
    const origin = this.#cell.input?.origin;
    const column = this.#converted();
    if (origin !== undefined && column.type.kind === "string") rememberOrigin(column, origin);
    return column;
  }

  #converted(): HostColumn {
    const { data, input: { name, rule } = {} } = this.#cell;
    if (name !== undefined) columnTypeIn({ name, type: this.type });
    // Input text may keep its 64-bit offsets even if operators must not create any.
    const settled = { ...(rule ?? defaultOffsetRule), enabled: true };
    return settleOffsets(fromArrow(data!), settled, "");
  }

  /**
   * The rows of a host column, for a caller that copies them. Rows that are still Arrow data are
   * converted without keeping the result or recording the origin of their text; the caller reads
   * that from `origin`.
   */
  get rows(): HostColumn {
    return this.#cell.column as HostColumn | undefined ?? this.#converted();
  }

  /** The origin of the text, unless it is recorded with the column. */
  get origin(): RowsOrigin | undefined {
    return this.#cell.column === undefined ? this.#cell.input?.origin : undefined;
  }

  /** Replaces the column on the device by its download. */
  moveToHost(column: HostColumn): void {
    if (this.#cell.column !== undefined) releaseColumn(this.#cell.column);
    this.#cell.column = column;
  }

  /** Whether the rows are only on the device. */
  get isOnDevice(): boolean {
    return this.#cell.column?.place === "device";
  }

  /** Returns the rows [start, stop) of a host column, which share its buffers. */
  slice(start: number, stop: number): BatchColumn {
    const { data, column, input } = this.#cell;
    if (column?.place === "host") {
      return BatchColumn.fromColumn(this.type, sliceColumn(column, start, stop));
    }
    const origin = input?.origin && { ...input.origin, row: input.origin.row + start };
    return BatchColumn.fromArrow(this.type, data!.slice(start, stop - start), { ...input, origin });
  }

  /** Returns selected rows of a host column. */
  gather(selection: Int32Array): BatchColumn {
    const column = this.column as HostColumn;
    const rows = gatherColumn(column, selection);
    if (column.type.kind === "string") inheritRows(rows, column, selection);
    return BatchColumn.fromColumn(this.type, rows);
  }

  /**
   * Converts text offsets on the host to the width that the rule requires. Throws an OverflowError
   * that names the column if the rule forbids 64 bits. Unconverted data stays unchanged.
   */
  settle(rule: OffsetRule, name: string): void {
    const { column, data } = this.#cell;
    if (column?.place !== "host") return;
    // The limit applies to text that operators create: input rows pass, however long.
    const enabled = rule.enabled || data !== undefined;
    const settled = settleOffsets(column, { ...rule, enabled }, name);
    if (settled === column) return;
    this.#cell.column = settled;
    this.#cell.data = undefined;
  }

  /**
   * Returns the rows of a host column as Arrow data of the plain type, or of the large one if the
   * rule requires 64-bit offsets.
   */
  toArrow(rule: OffsetRule = defaultOffsetRule): Data {
    const { data } = this.#cell;
    if (data !== undefined && isSettled(data, rule)) return data;
    const settled = { ...rule, enabled: true };
    return toArrow(settleOffsets(this.column as HostColumn, settled, ""), this.type);
  }

  /** The bytes that the rows occupy. */
  get numBytes(): number {
    const { data, column } = this.#cell;
    if (column === undefined) return dataBytes(data!);
    return column.place === "host" ? columnBytes(column) : column.dataBytes;
  }

  /**
   * The bytes of text in the rows; for nested text, those of the largest child. 0 without text, or
   * if the text is in unconverted views or an unconverted dictionary.
   */
  get textBytes(): number {
    const { data, column } = this.#cell;
    return column === undefined ? arrowTextBytes(data!) : columnTextBytes(column);
  }

  /** Returns another owner of the same rows. */
  share(): BatchColumn {
    this.#cell.owners++;
    return new BatchColumn(this.type, this.#cell);
  }

  /** Drops an owner; the last one frees the memory on the device. */
  release(): void {
    if (--this.#cell.owners === 0 && this.#cell.column !== undefined) {
      releaseColumn(this.#cell.column);
    }
  }
}
