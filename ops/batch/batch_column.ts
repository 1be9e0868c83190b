/**
 * A column of a batch, as Arrow data, on the host or on the device; it is converted only when
 * another form is asked for.
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
import type { TextOrigin } from "../../gpu/errors.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";
import { rememberOrigin } from "../../gpu/column/utf8.ts";
import { arrowTextBytes, columnTextBytes, dataBytes } from "./data_bytes.ts";
import { fromArrow } from "./from_arrow.ts";
import { defaultOffsetRule, isSettled, type OffsetRule, settleOffsets } from "./offset_rule.ts";
import { toArrow } from "./to_arrow.ts";

/** The rows of a column in whichever forms exist; several batches may share it. */
interface Cell {
  owners: number;
  data: Data | undefined;
  column: Column | undefined;
  /** Where the data came from. */
  readonly origin?: TextOrigin | undefined;
  /** How wide the offsets of its text become. */
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
   * A column that came in; `type` is the plain type of the data's own. An error of its text names
   * `origin`, the place of its first row.
   */
  static fromArrow(
    type: DataType,
    data: Data,
    origin?: TextOrigin,
    rule?: OffsetRule,
  ): BatchColumn {
    return new BatchColumn(type, { owners: 1, data, column: undefined, origin, rule });
  }

  /** A column that a backend made; it takes over the ownership. */
  static fromColumn(type: DataType, column: Column): BatchColumn {
    return new BatchColumn(type, { owners: 1, data: undefined, column });
  }

  /** The column for a kernel, wherever it lies; borrowed. */
  get column(): Column {
    return this.#cell.column ??= this.#convert();
  }

  #convert(): HostColumn {
    const { data, origin, rule } = this.#cell;
    // Text that came in with 64-bit offsets may keep them, even where operators may make none.
    const settled = { ...(rule ?? defaultOffsetRule), enabled: true };
    const column = settleOffsets(fromArrow(data!), settled, "");
    if (origin !== undefined && column.type.kind === "string") rememberOrigin(column, origin);
    return column;
  }

  /** Replaces what lies on the device by what was downloaded. */
  moveToHost(column: HostColumn): void {
    if (this.#cell.column !== undefined) releaseColumn(this.#cell.column);
    this.#cell.column = column;
  }

  /** Whether the rows lie on the device only. */
  get isOnDevice(): boolean {
    return this.#cell.column?.place === "device";
  }

  /** The rows [start, stop) of a column that is on the host, sharing its buffers. */
  slice(start: number, stop: number): BatchColumn {
    const { data, column, origin, rule } = this.#cell;
    if (column?.place === "host") {
      return BatchColumn.fromColumn(this.type, sliceColumn(column, start, stop));
    }
    const sliced = origin && { ...origin, row: origin.row + start };
    return BatchColumn.fromArrow(this.type, data!.slice(start, stop - start), sliced, rule);
  }

  /**
   * Gives text on the host offsets as wide as the rule wants. Throws an OverflowError that names
   * the column where it does not allow that. Data that were not converted yet stay as they are.
   */
  settle(rule: OffsetRule, name: string): void {
    const { column, data } = this.#cell;
    if (column?.place !== "host") return;
    // The limit is for text that operators make: rows that came in pass, however long theirs is.
    const enabled = rule.enabled || data !== undefined;
    const settled = settleOffsets(column, { ...rule, enabled }, name);
    if (settled === column) return;
    this.#cell.column = settled;
    this.#cell.data = undefined;
  }

  /**
   * The rows as Arrow data of the plain type, or of the large one where the rule wants wide offsets;
   * of a column that is on the host.
   */
  toArrow(rule: OffsetRule = defaultOffsetRule): Data {
    const { data } = this.#cell;
    if (data !== undefined && isSettled(data, rule)) return data;
    const settled = { ...rule, enabled: true };
    return toArrow(settleOffsets(this.column as HostColumn, settled, ""), this.type);
  }

  /** Bytes that the rows occupy. */
  get numBytes(): number {
    const { data, column } = this.#cell;
    if (column === undefined) return dataBytes(data!);
    return column.place === "host" ? columnBytes(column) : column.dataBytes;
  }

  /**
   * Bytes of the text of the rows; of nested text, those of the largest child. 0 where there is
   * none, or where it is in views or a dictionary that was not converted yet.
   */
  get textBytes(): number {
    const { data, column } = this.#cell;
    return column === undefined ? arrowTextBytes(data!) : columnTextBytes(column);
  }

  /** Another owner of the same rows. */
  share(): BatchColumn {
    this.#cell.owners++;
    return new BatchColumn(this.type, this.#cell);
  }

  /** Drops an owner; the last one frees what lies on the device. */
  release(): void {
    if (--this.#cell.owners === 0 && this.#cell.column !== undefined) {
      releaseColumn(this.#cell.column);
    }
  }
}
