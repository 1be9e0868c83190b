/**
 * The places of the arrays of a join table in its memory: plain data, which threads get.
 *
 * @module
 */

import type { JoinKind } from "../../join_kind.ts";
import type { SearchedTable } from "../table/find_rows.ts";

/** The place of a column in a record. */
export interface RecordField {
  readonly kind: "bit" | "number" | "short" | "long";
  /** Bytes from the start of the record. For text the size is there, followed by the text. */
  readonly at: number;
  /** Bytes of a value of fixed width. */
  readonly width: number;
  /** The bit of the record that is set if the row is not null; -1 if no row is null. */
  readonly nullBit: number;
  /** The bytes of text in a record, which has the place of longer text. */
  readonly inlineBytes: number;
}

/** The payload by rows; the first record, of zeros, stands for no row. */
export interface RecordPlaces {
  readonly at: number;
  /** Bytes of a record, and of all of them. */
  readonly stride: number;
  readonly numBytes: number;
  readonly fields: readonly RecordField[];
}

/** The places of `RowGroups`. */
export interface GroupPlaces {
  readonly starts: number;
  readonly rows: number;
  /** The number of rows of the build side, and of those with a key. */
  readonly numRows: number;
  readonly numKeys: number;
}

/** A join table for kernels: plain data, which threads get. */
export interface TablePlaces extends SearchedTable {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
  /** Rows by their key; null if no two share one. */
  readonly groups: GroupPlaces | null;
  readonly kind: JoinKind;
  /** Null without a payload, or if all of it is gathered elsewhere. */
  readonly records: RecordPlaces | null;
  /** Whether rows of the build side are wanted, for payload that is gathered elsewhere. */
  readonly wantsRows: boolean;
}
