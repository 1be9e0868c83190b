/**
 * Where the parts of a join table lie in its memory: plain data, which threads get.
 *
 * @module
 */

import type { JoinKind } from "../../join_kind.ts";
import type { SearchedTable } from "../table/find_rows.ts";

/** Where a column lies in a record. */
export interface RecordField {
  readonly kind: "bit" | "number" | "short" | "long";
  /** Bytes from the start of the record. For text the size lies there, and the text behind it. */
  readonly at: number;
  /** Bytes of a value of fixed width. */
  readonly width: number;
  /** The bit of the record that is set where the row is not null; -1 where none is null. */
  readonly nullBit: number;
  /** Bytes of text that a record holds; where longer text lies is in the record. */
  readonly inlineBytes: number;
}

/** The payload by rows; the first record is all zeros, and stands for no row. */
export interface RecordPlaces {
  readonly at: number;
  /** Bytes of a record, and of all of them. */
  readonly stride: number;
  readonly numBytes: number;
  readonly fields: readonly RecordField[];
}

/** Where `RowGroups` lie. */
export interface GroupPlaces {
  readonly starts: number;
  readonly rows: number;
  /** Rows of the build side, and those of them that have a key. */
  readonly numRows: number;
  readonly numKeys: number;
}

/** A join table as its kernels know it: plain data, which threads get. */
export interface TablePlaces extends SearchedTable {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
  /** Rows by their key; null where no two share one. */
  readonly groups: GroupPlaces | null;
  readonly kind: JoinKind;
  /** Null where there is no payload, or all of it is gathered elsewhere. */
  readonly records: RecordPlaces | null;
  /** Whether rows of the build side are wanted, for payload that is gathered elsewhere. */
  readonly wantsRows: boolean;
}
