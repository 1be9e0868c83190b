/**
 * The places of the arrays of a join table in its memory, as plain data for threads.
 *
 * @module
 */

import type { JoinKind } from "../../join_kind.ts";
import type { SearchedTable } from "../table/find_rows.ts";

/** The place of a column in a record. */
export interface RecordField {
  readonly kind: "bit" | "number" | "short" | "long";
  /** The first byte in the record. For text, its size is there, followed by the text. */
  readonly at: number;
  /** Bytes of a value of fixed width. */
  readonly width: number;
  /** The bit of the record that is set if the row is not null; -1 if no row is null. */
  readonly nullBit: number;
  /** The bytes of text in a record; of longer text, the record has the place. */
  readonly inlineBytes: number;
}

/** The payload by rows. The first record, of zeros, stands for no row. */
export interface RecordPlaces {
  readonly at: number;
  /** The bytes of a record, and of all records. */
  readonly stride: number;
  readonly numBytes: number;
  readonly fields: readonly RecordField[];
}

/** The places of `RowGroups`. */
interface GroupPlaces {
  readonly starts: number;
  readonly rows: number;
  /** The number of rows of the build side, and of those with a key. */
  readonly numRows: number;
  readonly numKeys: number;
}

/** A join table for kernels, as plain data for threads. */
export interface TablePlaces extends SearchedTable {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
  /** The rows of each key; null if every key is unique. */
  readonly groups: GroupPlaces | null;
  readonly kind: JoinKind;
  /** Null without a payload, or if all of it is gathered apart. */
  readonly records: RecordPlaces | null;
  /** Whether build rows are wanted, for payload that is gathered apart. */
  readonly wantsRows: boolean;
}
